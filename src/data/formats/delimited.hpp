#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"
#include "data/content/content.hpp"
#include "data/inspect/settle.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

struct DelimitedOptions {
  std::string separator = "auto";
  std::string header = "auto";
  std::string comment;
  std::optional<std::string> decimal = std::nullopt;
  std::optional<std::vector<std::string>> missing_values = std::nullopt;

  template <class F>
  void fields(F& field) {
    field("separator", separator, "delimited text: what separates the fields",
          one_of({"auto", "comma", "semicolon", "tab", "blank"}));
    field("header", header, "delimited text: whether the first line names the columns", one_of({"auto", "yes", "no"}));
    field("comment", comment, "delimited text: a line that begins with this is skipped; \"\" = none");
    field(
        "decimal", decimal,
        "delimited text: the decimal mark of numbers; the other one of comma and point may part thousands (else it is "
        "found for each column where all of its values say the same)",
        one_of({"point", "comma"}));
    field("missing_values", missing_values,
          "delimited text, arff, keel: what stands for a missing value beside an empty field, in place of ?, <null> "
          "and, in "
          "delimited text of one's own, NA, N/A, #N/A, n/a, <NA>, nan, NaN, NAN, null, NULL, None");
  }
};

/// What delimited text looks like, told or found out.
struct Layout {
  char separator = ',';  ///< ' ' stands for runs of blanks and tabs
  bool header = false;   ///< the first line names the columns
};

/// Separator: the first of tab, semicolon, comma that parts each of the first lines into the same number (> 1) of
/// fields, else the first that parts the first line (a later line is then refused as ragged), else blanks. Header: no
/// field of the first line is a number or "?", and one that is not empty stands over a number of the second. Rows stand
/// for lines where the fields of lines are not as many, and those of rows, which quotes keep together, are.
Layout find_layout(std::string_view text, const DelimitedOptions& options);

/// A note where the first line was taken for data and may be one of names; "" = it is not doubtful, or the options say
/// it. So it may where no field of it is a number, where its fields count the columns, or where one is a text that
/// stands once in its column of the table, which was read from the text, and the others there stand more than once.
std::string note_on_first_line(std::string_view text, const DelimitedOptions& options, const RawTable& table);

/// What the whole file has in its columns, each named and without a role.
struct DelimitedColumns {
  std::vector<RawColumn> columns;
  Inspection found;
};
DelimitedColumns inspect_delimited(const Content& content, const TableOptions& options, const DelimitedOptions& text);

/// Delimited text. Blanks around a field, quotes about it, "\r\n", blank lines, comment lines and an empty last field
/// in every line are passed over; a quoted field may hold line ends. A column whose field in the header is empty is
/// named by its number, "column3". What columns are that are not the numbers or categories they should be: settle().
/// Throws DataError.
RawTable read_delimited(const Content& content, const TableOptions& options, const DelimitedOptions& text = {});

}  // namespace elmx
