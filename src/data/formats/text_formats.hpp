#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/content/content.hpp"
#include "data/table/source.hpp"
#include "data/values/text.hpp"

namespace elmx {

/// Reads Weka's attribute-relation file format and KEEL's .dat, which has the same header with @inputs and
/// @outputs.
///
/// Types: numeric, real, integer (ranges behind them are ignored), string, date, {a, b, ...}. A date may
/// declare its format, which determines the order of day and month: date "MM/dd/yyyy". Names, categories and
/// values may be in single or double quotes, with a backslash before a quote inside. Rows are dense,
/// separated by commas or blanks, or sparse: {INDEX VALUE, ...}, where an absent attribute is 0 or its first
/// category. A comment starts with "%" at the start of a value or after a blank. Row weights are refused.
///
/// KEEL: the outputs are the default target; a column that is neither input nor output is dropped.
///
/// Throws DataError: an unknown type, an unsupported date format, a line that is not a declaration, no
/// attribute, no @data.
RawTable read_arff(Content content, const TableOptions& options);

/// Reads LIBSVM's sparse format: "label index:value ...", indices ascending from 1, or from 0 if the file has
/// index 0; "#" starts a comment, and "qid:..." behind the label is ignored. The columns are "label", always
/// the target, and x1, x2 ... (first x0 if it exists) up to the highest index. Throws DataError; ConfigError:
/// another target, nominal columns, or a column that divides the rows.
RawTable read_libsvm(const Content& content, const TableOptions& options);

/// Returns true if the first lines other than comments consist of a label and index:value pairs. Such files
/// often have no extension.
bool looks_like_libsvm(std::string_view text);

}  // namespace elmx
