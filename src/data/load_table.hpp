#pragma once

#include "data/columns.hpp"
#include "data/content.hpp"
#include "data/dataset.hpp"
#include "data/source.hpp"
#include "data/table.hpp"

namespace elmx {

/// A set whose files hold tables; the rows of the training file come before those of the test file. Throws ConfigError,
/// DataError.
Dataset load_table(const Source& source, RawTable (*read)(const Content&, const TableOptions&));

}  // namespace elmx
