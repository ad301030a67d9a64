#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/final_models/test_predictions.hpp"
#include "report/frame/frame.hpp"
#include "report/frame/quantities.hpp"
#include "report/plots/plot.hpp"
#include "report/tables/methods_of_rows.hpp"
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
std::vector<BarChart> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
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

}  // namespace elmx
