#pragma once

#include <map>
#include <string>
#include <vector>

#include "final_models/test_predictions.hpp"
#include "plots/plot.hpp"
#include "results/frame.hpp"
#include "results/quantities.hpp"
#include "tables/methods_of_rows.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {

/// A quantity against the dimension with the key `against`, as far as it is a number: for each case and data
/// set one plot with a curve for each algorithm and what else tells rows apart: mean and standard deviation
/// over repeats and folds. Curves that are equal to the quantity's precision everywhere are one, named after
/// all. The legend says how many trials failed. Plots without a curve of two values are left out. The axis is
/// logarithmic where a positive dimension other than the nodes spans a decade.
///
/// Choices of what the axis shows, and imported methods, which have nothing there, are level lines as long as
/// the axis of the `known` rows: those of which the rows are some; else of the rows themselves.
///
/// one_a_method: of method_rows; how they were chosen is the note, and tells no curves apart.
std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against, const Quantity& quantity,
                              const std::vector<RecordRow>& known, bool one_a_method = false);

/// How training went: for each case and data set one plot a traced quantity (training and test loss, test
/// accuracy, objective), a curve for each algorithm, sweep point and size: mean and standard deviation over
/// repeats and folds at each epoch or iteration. A training that converged before counts with its last value
/// from then on. A trial that failed or diverged (a value that is not finite) counts as far as it came, and
/// the legend says so. Traces without a value at every iteration (lbfgs), and of one value, are not plotted.
/// `prefix` begins the names.
std::vector<Plot> convergence_plots(const Frame& frame, const std::string& prefix = "");

/// The mean of a quantity over repeats and folds at every swept ridge parameter and number of nodes: for each
/// case and data set a map for each algorithm and what else tells rows apart; maps that print alike are one,
/// named after all their algorithms. None where there are not two values of each.
std::vector<HeatMap> heat_maps(const std::vector<RecordRow>& rows, const Quantity& quantity);

/// Speed-ups in a time ("step_seconds", "total_seconds", "test_seconds") over the reference of the case
/// (reference_algorithms), with their 95 % intervals: for each case, data set and sweep point a chart of the
/// algorithms at each number of nodes. Charts without a speed-up are left out.
std::vector<BarChart> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
                                     const std::string& time);

/// For each target two diagrams: the predicted against the actual values with the line where they are equal,
/// and the residuals, actual - predicted, against the predicted values.
std::vector<Figure> predicted_plots(const std::vector<TestPredictions>& all);

/// The confusion matrix of each row whose trials have counts (pooled_confusion). Classes without a name are
/// numbered from 0.
std::vector<ConfusionMatrix> confusion_matrices(const std::vector<RecordRow>& rows, const ClassesOfSets& classes);

/// The critical-difference diagram of Demsar as SVG: mean ranks on a line, a bar over methods that are not
/// told apart.
std::string rank_diagram(const MethodRanks& found);

}  // namespace elmx
