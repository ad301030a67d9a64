#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

/// The options for reading delimited text; unset options are inferred from the text.
struct CsvOptions {
  std::string separator = "auto";
  std::string header = "auto";
  std::string comment = "";
  std::optional<std::string> decimal = std::nullopt;
  std::optional<std::string> thousands = std::nullopt;
  std::optional<std::string> date_order = std::nullopt;
  std::optional<std::size_t> lines_above = std::nullopt;
  std::optional<std::vector<std::string>> missing_values = std::nullopt;

  void fields(FieldVisitor& field);
};

/// The name of the column of row names.
inline constexpr std::string_view kRowNames = "row_names";

/// The decision whether the first row has the names of the columns.
struct HeaderDecision {
  bool header = false;  ///< the first row has them
  std::string why;
  bool is_uncertain = false;  ///< the first row may hold names or values
};

/// The division of a delimited text into lines, rows and fields, and the names of its columns.
struct Dialect : HeaderDecision {
  char separator = ',';         ///< ' ' stands for runs of blanks and tabs
  char line_end = '\n';         ///< or '\r'
  std::string comment;          ///< the prefix of lines to skip; "" = none
  std::size_t lines_above = 0;  ///< number of lines to skip above the names or the first row
  bool closed = false;          ///< every row ends with a separator that no further column follows
  std::vector<std::string> names;
  /// The first column has names of rows, and no name itself.
  bool row_names = false;
  std::size_t units_line = 0;  ///< the line of a row of units below the names, which is left out; 0 = none
  std::size_t bytes_above_rows = 0, lines_above_rows = 0;  ///< including a byte order mark, names and units
};

/// Facts about a file that its text does not show.
struct HeaderHints {
  std::vector<std::string> names;  ///< columns that the config or the command line names
  std::vector<std::string> known;  ///< inputs of the file that a model was trained on
  bool row_names = false;          ///< the model's training file has names of rows
};

/// Infers the dialect of a text from its first rows, in this order: line end, separator (the one that divides
/// the rows evenly into the most numbers), lines above the table, names of rows, header. Options take
/// precedence over the text.
///
/// sample: whole lines from the start of the text. Throws DataError if there is no row.
Dialect detect_dialect(std::string_view sample, const CsvOptions& options, const HeaderHints& hints,
                       const std::string& origin);

/// Returns "comma", "semicolon", "tab", "pipe" or "blank".
std::string separator_name(char separator);

}  // namespace elmx
