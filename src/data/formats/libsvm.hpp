#pragma once

#include "data/content/content.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// Reads LIBSVM's sparse format: "label index:value ...", indices ascending from 1, or from 0 if the file has
/// index 0; "#" starts a comment, and "qid:..." behind the label is ignored. The columns are "label", always
/// the target, and x1, x2 ... (first x0 if it exists) up to the highest index. Throws DataError; ConfigError:
/// another target, nominal columns, or a column that divides the rows.
RawTable read_libsvm(const Content& content, const TableOptions& options);

/// Returns true if the first lines other than comments consist of a label and index:value pairs. Such files
/// often have no extension.
bool looks_like_libsvm(std::string_view text);

}  // namespace elmx
