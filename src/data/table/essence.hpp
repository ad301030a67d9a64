#pragma once

#include <string>
#include <vector>

#include "data/table/dataset.hpp"

namespace elmx {

/// The essence of what was read, for a terminal: at most ten lines of at most 80 characters. The first has
/// rows, inputs and target; the others say what else was decided, and warn.
std::vector<std::string> essence_of(const Dataset& data);

}  // namespace elmx
