#pragma once

#include <string>

#include "data/dataset.hpp"

namespace elmx {

/// One line on what became of the files: "150 rows, 6 inputs of 4 columns, target y from 1 to 9; an input for each
/// category: colour (3); missing values, filled with ...: width (2); left out: id; the same in all rows: size". Rows,
/// inputs and target stand in any case, the rest where there is any, and then the options that say otherwise.
std::string what_was_read(const Dataset& data);

}  // namespace elmx
