#pragma once

#include <string>
#include <vector>

#include "plots/plot.hpp"
#include "results/quantities.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// A quantity against the dimension with the key `against`, as far as it is a number: for each case and data set one
/// plot with a curve for each algorithm and what else tells rows apart: mean and standard deviation over repeats and
/// folds. Neighbouring curves of different algorithms that are equal to the quantity's precision everywhere are one,
/// named after all. The legend says how many trials failed. Plots without a curve of two values are left out. The
/// axis is logarithmic where a positive dimension other than the nodes spans a decade.
///
/// Choices of what the axis shows, and imported methods, which have nothing there, are level lines as long as the axis
/// of the `known` rows: those of which the rows are some; else of the rows themselves.
std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against, const Quantity& quantity,
                              const std::vector<RecordRow>& known);
std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against, const Quantity& quantity);

}  // namespace elmx
