#pragma once

#include <string>
#include <string_view>

#include "base/config/fields.hpp"
#include "data/content/content.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

struct DelimitedOptions {
  std::string separator = "auto";
  std::string header = "auto";
  std::string comment;

  template <class F>
  void fields(F& field) {
    field("separator", separator, "delimited text: what separates the fields",
          one_of({"auto", "comma", "semicolon", "tab", "blank"}));
    field("header", header, "delimited text: whether the first line names the columns", one_of({"auto", "yes", "no"}));
    field("comment", comment, "delimited text: a line that begins with this is skipped; \"\" = none");
  }
};

/// What delimited text looks like, told or found out.
struct Layout {
  char separator = ',';  ///< ' ' stands for runs of blanks and tabs
  bool header = false;   ///< the first line names the columns
};

/// Separator: the first of tab, semicolon, comma that parts each of the first lines into the same number (> 1) of
/// fields, else the first that parts the first line (a later line is then refused as ragged), else blanks. Header: no
/// field of the first line is a number or "?", and one that is not empty stands over a number of the second.
Layout find_layout(std::string_view text, const DelimitedOptions& options);

/// Delimited text. Blanks around a field, quotes about it, "\r\n", blank lines, comment lines and an empty last field
/// in every line are passed over. A column whose field in the header is empty is named by its number, "column3". Throws
/// DataError: also a quote that is not closed in its line.
RawTable read_delimited(const Content& content, const TableOptions& options, const DelimitedOptions& text = {});

}  // namespace elmx
