#pragma once

#include <string>

#include "base/config/json.hpp"
#include "data/table/dataset.hpp"
#include "experiment/config/spec.hpp"

namespace elmx {

/// Returns a config for data that nothing else is known of: five folds in which networks with random nodes
/// and kernel machines choose their parameters by leave-one-out errors, beside ridge regression and the mean
/// (or the largest class). Sizes are those for which all folds and the final model take about budget.seconds.
///
/// data: "data" of the config; dataset: what it reads.
Json starting_config(const std::string& name, const Json& data, const Dataset& dataset, const TimeBudget& budget);

/// The config as a file to be changed: short values on one line, with comments.
std::string text_of_starting_config(const Json& config);

}  // namespace elmx
