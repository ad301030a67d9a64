#pragma once

#include <string>

#include "base/config/json.hpp"
#include "data/dataset.hpp"

namespace elmx {

/// The text of a config for data that nothing else is known of, with a comment on each choice: five folds in which elm
/// and rvfl choose activation, range of the weights, ridge parameter and size by leave-one-out errors, beside them
/// ridge regression and the mean (or the largest class). The size of the networks suits the rows, the weights the
/// number of inputs.
///
/// data: "data" of the config; dataset: what it reads.
std::string starting_config(const std::string& name, const Json& data, const Dataset& dataset);

}  // namespace elmx
