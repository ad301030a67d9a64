#pragma once

#include <string>

#include "base/config/json.hpp"
#include "data/table/dataset.hpp"
#include "experiment/config/spec.hpp"

namespace elmx {

/// Returns a config for unknown data: five folds in which networks with random nodes and kernel machines
/// choose their parameters by leave-one-out errors, and as baselines ridge regression and the mean (or the
/// largest class). Sizes are chosen so that all folds and the final model take about budget.seconds.
///
/// data: "data" of the config; dataset: the data set that it reads.
Json starting_config(const std::string& name, const Json& data, const Dataset& dataset, const TimeBudget& budget);

/// Formats the config as a file for editing: short values on one line, with comments.
std::string text_of_starting_config(const Json& config);

}  // namespace elmx
