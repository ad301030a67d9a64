#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

/// How delimited text is read, where the text does not show it.
struct CsvOptions {
  std::string separator = "auto";
  std::string header = "auto";
  std::string comment = "";
  std::optional<std::string> decimal = std::nullopt;
  std::optional<std::string> thousands = std::nullopt;
  std::optional<std::string> date_order = std::nullopt;
  std::optional<std::size_t> lines_above = std::nullopt;
  std::optional<std::vector<std::string>> missing_values = std::nullopt;

  template <class F>
  void fields(F& field) {
    field("separator", separator, "delimited text: what separates the fields",
          one_of({"auto", "comma", "semicolon", "tab", "pipe", "blank"}));
    field("header", header, "delimited text: whether the first line names the columns", one_of({"auto", "yes", "no"}));
    field("comment", comment, "delimited text: a line that begins with this is skipped; \"\" = none");
    field("decimal", decimal,
          "delimited text: the decimal mark of numbers; without it each column is read in the spelling that its values "
          "have",
          one_of({"point", "comma"}));
    field("thousands", thousands,
          "delimited text: what stands between thousands, with \"decimal\" (the other one of "
          "point and comma)",
          one_of({"point", "comma", "blank", "apostrophe", "none"}));
    field("date_order", date_order, "delimited text: which comes first in dates such as 3/4/2024",
          one_of({"day_first", "month_first"}));
    field("lines_above", lines_above, "delimited text: lines above the names or the first row that are left out");
    field(
        "missing_values", missing_values,
        "delimited text, arff, keel: the texts that stand for a missing value beside an empty field, in every column");
  }
};

/// What the column of the names of rows is called.
inline constexpr std::string_view kRowNames = "row_names";

/// How a delimited text is divided into lines, rows and fields, and what its columns are called.
struct Dialect {
  char separator = ',';         ///< ' ' stands for runs of blanks and tabs
  char line_end = '\n';         ///< or '\r'
  std::string comment;          ///< lines that begin with it are left out; "" = none
  std::size_t lines_above = 0;  ///< lines above the names or the first row that are left out
  bool header = false;          ///< the next line has the names of the columns
  bool closed = false;          ///< every row ends with a separator: the field behind it is no column
  std::vector<std::string> names;
  /// the first column has names of rows, and no name
  bool row_names = false;
  std::string why;                                         ///< what decided on the header
  bool is_uncertain = false;                               ///< both readings of the first row are possible
  std::size_t bytes_above_rows = 0, lines_above_rows = 0;  ///< with a byte order mark and the names
};

/// Facts about a file beside its text.
struct HeaderHints {
  std::vector<std::string> names;  ///< columns that the config or the command line names
  std::vector<std::string> known;  ///< inputs of the file that a model was trained on
  bool row_names = false;          ///< that file has names of rows
};

/// The dialect of a text, found in steps on its first rows: line end, separator (the one that divides the
/// rows evenly into the most numbers), lines above the table, names of row names, header. What the options
/// say holds.
///
/// sample: whole lines from the beginning of the text. Throws DataError if there is no row.
Dialect detect_dialect(std::string_view sample, const CsvOptions& options, const HeaderHints& hints,
                       const std::string& origin);

/// "comma", "semicolon", "tab", "pipe" or "blank".
std::string separator_name(char separator);

}  // namespace elmx
