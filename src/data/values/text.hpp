#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
void skip_blanks(std::string_view& text);
std::string_view trimmed(std::string_view text);

/// Case-insensitive (ASCII) beginning of `text`.
bool begins_with_word(std::string_view text, std::string_view word);

/// A longer text is no number. In bytes; all decimals of a double need fewer.
inline constexpr std::size_t kLongestNumber = 2000;

/// A number that takes up all of `text`: optional sign, decimal or scientific, also "inf" and "nan"; nothing
/// else.
std::optional<double> parse_number(std::string_view text);

/// Takes a decimal of at most 15 digits from the front of `text`, exactly: its digits and the power of ten
/// below them are both doubles without rounding (Clinger 1990). Nothing is taken if there is none.
std::optional<double> take_short_decimal(std::string_view& text);

/// A label without the spellings that are the same whole number: "1" for "1", "1.0", "+1" and "1e0". Other
/// texts, with leading zeros (02138), fractions (1.10) or more than 15 digits, stay as they are.
std::string canonical_label(std::string_view text);

/// The lines of a text, without their ends: "\n" or "\r\n", or another character.
class Lines {
 public:
  /// Counts from 1, and passes over a byte order mark.
  explicit Lines(std::string_view text);

  /// A part of a text, whose first line has the number `first`.
  Lines(std::string_view text, char line_end, std::size_t first)
      : rest_(text), line_end_(line_end), number_(first - 1) {}

  /// Moves to the next line; false at the end of the text.
  bool next();
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  std::string_view rest() const { return rest_; }  ///< behind the line

  /// Moves to the next line that is not blank and does not begin with `comment` ("" = none); false at the
  /// end.
  bool next_content(std::string_view comment);

 private:
  std::string_view rest_, line_;
  char line_end_ = '\n';
  std::size_t number_ = 0;
};

/// Returns true for a line that is not blank and does not begin with `comment` ("" = none).
bool is_content(std::string_view line, std::string_view comment);

/// As suggest(), for names out of a file, which may have commas: quoted, and "" where there are none.
std::string suggest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace elmx
