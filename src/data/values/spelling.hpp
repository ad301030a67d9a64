#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// How the numbers of a column are written.
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

/// The spellings without a unit that are tried for a column, plain first.
const std::array<Spelling, 7>& spellings();

/// The text that stands in Excel's ="...", or the text itself.
std::string_view without_formula(std::string_view text);

/// A number in this spelling that takes up all of `text`. Groups between thousands marks have exactly three
/// digits; the first has one to three and does not begin with zero.
std::optional<double> parse_number(std::string_view text, const Spelling& spelling);

/// Parses a bound such as "<0.05" or "> 100", as laboratories write values beyond what they can measure.
/// Returns the bound itself.
std::optional<double> parse_bound(std::string_view text, const Spelling& spelling);

/// A spelling with the unit of the number in a text, such as "$" before "$54.26"; nothing if there is no
/// digit or the unit is longer than eight bytes.
std::optional<Spelling> unit_of(std::string_view text);

/// Examples of the spelling, for messages: "1.234,5", "$1,234.5".
std::string example_of(const Spelling& spelling);

/// The texts that stand for a missing value. An empty field always does.
///
///     always   a missing value in every column
///     words    also a word that can be a category ("None", "NA" for Namibia): a missing value among numbers, and
///              among categories only if it also stands for one among the numbers of the same file
struct MissingValues {
  std::vector<std::string> always{"?", "<null>"};
  std::vector<std::string> words;

  /// For delimited text.
  static MissingValues usual();

  bool is_always(std::string_view text) const;
  bool is_word(std::string_view text) const;
};

}  // namespace elmx
