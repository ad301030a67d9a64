#pragma once

#include "data/content/content.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// LIBSVM's sparse format: "label index:value ...", indices from 1, ascending; "#" begins a comment. The columns are
/// "label", always the target, and x1, x2 ... up to the highest index. Throws DataError; ConfigError: another target,
/// nominal columns, or a column that divides the rows.
RawTable read_libsvm(const Content& content, const TableOptions& options);

}  // namespace elmx
