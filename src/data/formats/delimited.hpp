#pragma once

#include "data/content/content.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// What delimited text looks like, told or found out.
struct Layout {
  char separator = ',';  ///< ' ' stands for runs of blanks and tabs
  bool header = false;   ///< the first line names the columns
};

/// Separator: the first of tab, semicolon, comma that parts each of the first lines into the same number (> 1) of
/// fields, else the first that parts the first line (a later line is then refused as ragged), else blanks. Header: no
/// field of the first line is a number or "?", and one that is not empty stands over a number of the second.
Layout find_layout(std::string_view text, const TableOptions& options);

/// Delimited text. Blanks around a field, quotes about it, "\r\n", blank lines, comment lines and an empty last field
/// in every line are passed over. A column whose field in the header is empty is named by its number, "column3". Throws
/// DataError: also a quote that is not closed in its line.
RawTable read_delimited(const Content& content, const TableOptions& options);

}  // namespace elmx
