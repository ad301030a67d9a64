#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "report/final_models/test_predictions.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/frame.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/selection.hpp"
#include "report/plots/plot.hpp"
#include "report/tables/methods.hpp"
#include "report/tables/speed_ups.hpp"

namespace elmx {

/// Returns plots of a quantity against the numeric values of the dimension with the key `against`: for each
/// case and data set one plot with a curve for each algorithm and other traits, mean and standard deviation
/// over repeats and folds. Curves that are equal at the precision of the quantity are drawn as one, named
/// after all. The legend has the number of failed trials. Plots without a curve of two values are left out.
/// The axis is logarithmic if a positive dimension other than the nodes spans a decade.
///
/// Choices of the dimension on the axis, and imported methods, which have no value there, are level lines
/// over the axis of the `known` rows, which include `rows`, or else of the rows themselves.
///
/// one_a_method: the rows are from method_rows; their choices are in the note and separate no curves.
std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against, const Quantity& quantity,
                              const std::vector<RecordRow>& known, bool one_a_method = false);

/// Returns plots of the training: for each case and data set one plot per traced quantity (training and test
/// loss, test accuracy, objective), with a curve for each algorithm, sweep point and size: mean and standard
/// deviation over repeats and folds at each epoch or iteration. A training that converged earlier counts with
/// its last value from then on. A trial that failed or diverged (a value that is not finite) counts up to
/// that point, and the legend says so. Traces without a value at every iteration (lbfgs), and traces of one
/// value, are not plotted. `prefix` begins the names.
std::vector<Plot> convergence_plots(const Frame& frame, const std::string& prefix = "");

/// Returns the mean of a quantity over repeats and folds at every swept ridge parameter and number of nodes:
/// for each case and data set a map for each algorithm and other traits. Maps that print alike are one, named
/// after all their algorithms. There is no map without two values of each.
std::vector<HeatMap> heat_maps(const std::vector<RecordRow>& rows, const Quantity& quantity);

/// Returns the speed-ups in a time ("step_seconds", "total_seconds", "test_seconds") over the reference of
/// the case (reference_algorithms), with their 95 % intervals: for each case, data set and sweep point a
/// chart of the algorithms at each number of nodes. Charts without a speed-up are left out.
std::vector<Plot> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
                                 const std::string& time);

/// Returns two diagrams per target: the predicted against the actual values with the line of equality, and
/// the residuals (actual - predicted) against the predicted values.
std::vector<Figure> predicted_plots(const std::vector<TestPredictions>& all);

/// Returns the confusion matrix of each row whose trials have counts (pooled_confusion). Classes without a
/// name are numbered from 0.
std::vector<ConfusionMatrix> confusion_matrices(const std::vector<RecordRow>& rows, const ClassesOfSets& classes);

/// Returns the critical-difference diagram of Demsar as SVG: mean ranks on a line, and a bar over methods
/// that do not differ significantly.
std::string rank_diagram(const MethodRanks& found);

/// Returns the rows of a diagram with one curve per method. At each value of the axes ("nodes",
/// "/model/ridge", "mu") there is one row, with the setting chosen there among all settings of the method.
/// Settings are swept numbers of the model and of the scaling of the inputs, sizes and parameters of a grid;
/// swept texts and iterations are not. The trials choose (cross validation, or by the metric that `asked` has
/// for the case), otherwise the best on the test part. Imported methods stay as they are.
std::vector<RecordRow> method_rows(const std::vector<RecordRow>& rows, const Selections& asked,
                                   const std::vector<std::string>& axes);

/// Returns "ridge, nodes at each point: best on the test part, optimistic"; "" if nothing was chosen. `at`
/// follows the names.
std::string choice_text(std::span<const RecordRow> rows, const std::string& at = " at each point");

/// The rows that share a legend entry.
struct EntryRows {
  std::string algorithm;
  std::vector<Trait> traits;
  std::string suffix = {};  ///< ", ridge = 0.1": the traits that not all entries of the algorithm share
  std::vector<const RecordRow*> rows = {};

  std::string name() const { return algorithm + suffix; }
};

/// Groups rows by algorithm and by the dimensions in the legend, in the order of their first rows.
std::vector<EntryRows> by_entry(const std::vector<const RecordRow*>& rows, const Dimensions& dimensions,
                                const std::function<bool(const Dimension&)>& in_legend);

/// The input of diagrams.
struct PlotSource {
  Frame frame;
  std::map<std::string, std::string> references;  ///< case -> the reference algorithm of speed-ups
  std::vector<TestPredictions> predicted = {};
};

/// `reference`: the algorithm that speed-ups are over; "" = the baseline of the config. Throws ConfigError if
/// the frame lacks it.
PlotSource plot_source(const Frame& frame, const std::string& reference = "");

/// The question that a diagram answers.
enum class Question { error, speed, numerics };

struct PlotKind {
  const char* name;
  const char* doc;
  Question question;
  const char* needs;                           ///< "two numbers of nodes": the data that a diagram needs
  bool (*shows)(const std::string& quantity);  ///< returns true if the quantity can be requested
  /// draws the quantities, or by default the quantities of this kind
  std::vector<Figure> (*make)(const PlotSource& source, const std::vector<std::string>& quantities);
};

/// Returns all kinds of diagrams. A new kind is added here only.
const std::vector<PlotKind>& plot_kinds();

/// All diagrams that the records can show, with unique names. `first`: for each case and data set the first
/// diagram of its error and the first of its speed-ups.
struct PartedFigures {
  std::vector<Figure> first;
  std::vector<Figure> further;
};
PartedFigures parted_figures(const PlotSource& source);

/// Returns the diagrams of the given kinds (empty: all) that the records can show, with unique names; only of
/// one quantity if `metric` is not "". Throws ConfigError if a kind or a metric is unknown or they do not
/// fit, and DataError if a requested kind, or every kind, has nothing to show; `origin` begins that message.
/// Under conditions, names and titles end in them.
std::vector<Figure> figures_of(const PlotSource& source, const std::vector<std::string>& kinds,
                               const std::string& metric, const std::string& origin);

}  // namespace elmx
