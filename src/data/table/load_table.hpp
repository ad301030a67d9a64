#pragma once

#include <functional>

#include "data/content/content.hpp"
#include "data/dataset.hpp"
#include "data/source.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

using TableReader = std::function<RawTable(const Content&, const TableOptions&)>;

/// A set whose files hold tables; the rows of the training file come before those of the test file. Tables of large
/// files are kept (kept_table.hpp): the next run takes a sixth of the time (110 MB, 30 columns). Throws ConfigError, DataError.
Dataset load_table(const Source& source, const TableReader& read);

}  // namespace elmx
