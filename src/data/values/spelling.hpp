#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// The spelling of the numbers of a column.
///
///     1234.5     plain: decimal '.', no thousands mark, no unit
///     1,234.5    decimal '.', thousands ','
///     1.234,5    decimal ',', thousands '.'
///     1 234,5    decimal ',', thousands ' ' (any kind of space)
///     $54.26     before "$"
///     12 kg      behind "kg"
///
/// In every spelling a negative number may also have the minus sign U+2212 or an en dash, have its minus
/// behind it (12.5-, not 12-), or stand in parentheses, and a number may stand in Excel's ="...".
struct Spelling {
  char decimal = '.';
  char thousands = '\0';       ///< ',', '.', ' ' or '\''; '\0' = none
  std::string before = {};     ///< the unit before every number, "" = none
  std::string behind = {};     ///< the unit behind every number, "" = none
  bool optional_unit = false;  ///< a number may lack the unit

  bool operator==(const Spelling&) const = default;
  bool is_plain() const { return *this == Spelling(); }
};

/// Returns the spellings without a unit that are tried for a column, plain first.
const std::array<Spelling, 7>& spellings();

/// Returns the text inside Excel's ="...", or the text itself.
std::string_view without_formula(std::string_view text);

/// Parses all of `text` as a number in this spelling. Groups between thousands marks have exactly three
/// digits; the first group has one to three and does not start with zero.
std::optional<double> parse_number(std::string_view text, const Spelling& spelling);

/// Parses a bound such as "<0.05" or "> 100", by which laboratories report values outside the measurable
/// range. Returns the bound itself.
std::optional<double> parse_bound(std::string_view text, const Spelling& spelling);

/// Returns a spelling with the unit of the number in a text, such as "$" in "$54.26"; nothing if there is no
/// digit or the unit is longer than eight bytes.
std::optional<Spelling> unit_of(std::string_view text);

/// The texts that stand for a missing value. An empty field always does.
///
///     always   a missing value in every column
///     words    a word that can also be a category ("None", "NA" for Namibia): a missing value among numbers,
///              and among categories only if the word is also a missing number in the same file
struct MissingValues {
  std::vector<std::string> always{"?", "<null>"};
  std::vector<std::string> words;

  /// Returns the defaults for delimited text.
  static MissingValues usual();

  bool is_always(std::string_view text) const;
  bool is_word(std::string_view text) const;
};

}  // namespace elmx
