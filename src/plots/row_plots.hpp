#pragma once

#include <string>
#include <vector>

#include "plots/plot.hpp"
#include "results/quantities.hpp"
#include "results/record_rows.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {

/// A quantity against the dimension with the key `against`, as far as it is a number: for each case and data set one
/// plot with a curve for each algorithm and what else tells rows apart: mean and standard deviation over repeats and
/// folds. Neighbouring curves of different algorithms that are equal to the quantity's precision everywhere are one,
/// named after all. The legend says how many trials failed. Plots without a curve of two values are left out. The
/// axis is logarithmic where a positive dimension other than the nodes spans a decade.
///
/// Choices of what the axis shows, and imported methods, which have nothing there, are level lines as long as the axis
/// of the `known` rows: those of which the rows are some; else of the rows themselves.
///
/// one_a_method: of method_rows; how they were chosen is the note, and tells no curves apart.
std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against, const Quantity& quantity,
                              const std::vector<RecordRow>& known, bool one_a_method = false);

/// The mean of a quantity over repeats and folds at every swept ridge parameter and number of nodes: for each case and
/// data set a map for each algorithm and what else tells rows apart; maps that print alike are one, named after all
/// their algorithms. None where there are not two values of each.
std::vector<HeatMap> heat_maps(const std::vector<RecordRow>& rows, const Quantity& quantity);

/// Speed-ups in a time ("step_seconds", "total_seconds", "test_seconds") over the reference of the case
/// (reference_algorithms), with their 95 % intervals: for each case, data set and sweep point a chart of the algorithms
/// at each number of nodes. Charts without a speed-up are left out.
std::vector<BarChart> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
                                     const std::string& time);

}  // namespace elmx
