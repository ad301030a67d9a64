#pragma once

#include <string>

#include "data/dataset.hpp"

namespace elmx {

/// One line on what became of the files: "150 rows, 6 inputs of 4 columns, 3 classes: setosa (50), ...; a column for each
/// category: colour (3); missing: width (2 of 150); not read: id; the same in all rows: unit". Rows, inputs and target
/// stand in any case, the rest where there is any; of a table it ends with the options that say otherwise.
std::string what_was_read(const Dataset& data);

}  // namespace elmx
