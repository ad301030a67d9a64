#pragma once

#include <functional>

#include "data/content/content.hpp"
#include "data/dataset.hpp"
#include "data/source.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// A set whose files hold tables; the rows of the training file come before those of the test file. Throws ConfigError,
/// DataError.
Dataset load_table(const Source& source, const std::function<RawTable(const Content&, const TableOptions&)>& read);

}  // namespace elmx
