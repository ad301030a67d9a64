#pragma once

#include "data/content/content.hpp"
#include "data/table/roles.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// LIBSVM's sparse format: "label index:value ...", indices ascending from 1, or from 0 if the file has index
/// 0; "#" begins a comment, and "qid:..." behind the label is passed over. The columns are "label", always
/// the target, and x1, x2 ... (x0 first if there is one) up to the highest index. Throws DataError;
/// ConfigError: another target, nominal columns, or a column that divides the rows.
RawTable read_libsvm(const Content& content, const TableOptions& options);

/// Returns true if the first lines that are no comments are a label and then nothing but index:value: such
/// files often have no ending.
bool looks_like_libsvm(std::string_view text);

}  // namespace elmx
