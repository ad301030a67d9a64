#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
void skip_blanks(std::string_view& text);
std::string_view trimmed(std::string_view text);

/// Returns true if `text` starts with `word`, ignoring ASCII case.
bool begins_with_word(std::string_view text, std::string_view word);

/// The longest text in bytes that is parsed as a number; all decimals of a double need fewer.
inline constexpr std::size_t kLongestNumber = 2000;

/// Parses all of `text` as a number: optional sign, decimal or scientific notation, "inf" or "nan".
std::optional<double> parse_number(std::string_view text);

/// Removes a whole number without a sign from the front of `text`. Leaves `text` unchanged if there is none.
std::optional<std::size_t> take_digits(std::string_view& text);

/// Parses all of `text` as a whole number without a sign.
std::optional<std::size_t> parse_digits(std::string_view text);

/// Returns true if number(0), ..., number(count - 1) are 0, 1, 2, ... or 1, 2, 3, ...; each may be absent.
template <class Number>
bool count_up(std::size_t count, const Number& number) {
  const std::optional<double> first = count == 0 ? std::nullopt : number(0);
  if (first != 0 && first != 1) return false;
  for (std::size_t i = 1; i < count; ++i) {
    if (number(i) != *first + static_cast<double>(i)) return false;
  }
  return true;
}

/// Removes a decimal of at most 15 digits from the front of `text` and returns its exactly rounded value: its
/// digits and the power of ten below them are both exact doubles (Clinger 1990). Leaves `text` unchanged if
/// there is none.
std::optional<double> take_short_decimal(std::string_view& text);

/// Returns the canonical form of a label that is a whole number: "1" for "1", "1.0", "+1" and "1e0". Other
/// texts and numbers with leading zeros (02138), fractions (1.10) or more than 15 digits stay unchanged.
std::string canonical_label(std::string_view text);

/// Iterates over the lines of a text without their ends: "\n" or "\r\n", or another character.
class Lines {
 public:
  /// Starts with line number 1 and skips a byte order mark.
  explicit Lines(std::string_view text);

  /// Starts at a part of a text whose first line has the number `first`.
  Lines(std::string_view text, char line_end, std::size_t first)
      : rest_(text), line_end_(line_end), number_(first - 1) {}

  /// Moves to the next line. Returns false at the end of the text.
  bool next();
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  std::string_view rest() const { return rest_; }  ///< behind the line

  /// Moves to the next line that is not blank and does not start with `comment` ("" = none). Returns false at
  /// the end.
  bool next_content(std::string_view comment);

 private:
  std::string_view rest_, line_;
  char line_end_ = '\n';
  std::size_t number_ = 0;
};

/// Returns true for a line that is not blank and does not start with `comment` ("" = none).
bool is_content(std::string_view line, std::string_view comment);

/// Works like suggest() for names from a file, which may contain commas: names are quoted, and "" is returned
/// if there are none.
std::string suggest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace elmx
