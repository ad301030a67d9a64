#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/csv/csv_options.hpp"

namespace elmx {

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
  bool row_names = false;     ///< the first column has names of rows, and no name
  std::string why;            ///< what decided on the header
  bool is_uncertain = false;  ///< both readings of the first row are possible
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

/// "comma", "semicolon", "tab", "pipe", "blank", or the character itself.
std::string separator_name(char separator);

}  // namespace elmx
