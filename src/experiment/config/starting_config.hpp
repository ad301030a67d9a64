#pragma once

#include <string>

#include "base/config/json.hpp"
#include "data/table/dataset.hpp"

namespace elmx {

/// A config for data that nothing else is known of: five folds in which elm and rvfl choose activation, range
/// of the weights, ridge parameter and size by leave-one-out errors, beside them ridge regression and the
/// mean (or the largest class). The size of the networks suits the rows, the weights the number of inputs.
///
/// data: "data" of the config; dataset: what it reads.
Json starting_config(const std::string& name, const Json& data, const Dataset& dataset);

/// The config as a file to be changed: short values on one line, with comments.
std::string text_of_starting_config(const Json& config);

}  // namespace elmx
