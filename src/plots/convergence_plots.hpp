#pragma once

#include <string>
#include <vector>

#include "plots/plot.hpp"
#include "results/frame.hpp"

namespace elmx {

/// How training went: for each case and data set one plot a traced quantity (training and test loss, test accuracy,
/// objective), a curve for each algorithm, sweep point and network size: mean and standard deviation over repeats and
/// folds at each epoch or iteration. A training that converged before counts with its last value from then on. A trial
/// that failed or diverged (a value that is not finite) counts as far as it came, and the legend says so. Traces that do not have a value at every iteration (lbfgs), and of one value, are not
/// plotted. `prefix` begins the names.
std::vector<Plot> convergence_plots(const Frame& frame, const std::string& prefix = "");

}  // namespace elmx
