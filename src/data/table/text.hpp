#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

std::string_view trimmed(std::string_view text);

/// Case-insensitive (ASCII) beginning of `text`.
bool begins_with_word(std::string_view text, std::string_view word);

/// A number that takes up all of `text`: optional sign, decimal or scientific, also "inf" and "nan"; nothing else.
std::optional<double> parse_number(std::string_view text);

/// The lines of a text, without "\n" or "\r\n"; counts from 1.
class Lines {
 public:
  explicit Lines(std::string_view text);

  /// Moves to the next line; false at the end of the text.
  bool next();
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }

  /// Takes the next line in as well, with the line end between; false at the end of the text.
  bool extend();

  /// Moves to the next line that is not blank and does not begin with `comment` ("" = none); false at the end.
  bool next_content(std::string_view comment);

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// Splits lines into fields, without blanks around them or the quotes about them. The fields are valid until the next
/// call. A quote that is not closed encloses the rest of its line.
class Fields {
 public:
  /// separator: the character, or ' ' for runs of blanks and tabs. quotes: the characters that may enclose a field.
  explicit Fields(char separator, std::string_view quotes = "\"") : separator_(separator), quotes_(quotes) {}

  const std::vector<std::string_view>& split(std::string_view line);

  /// Whether every quote of the last line was closed.
  bool closed() const { return closed_; }

 private:
  void split_blanks(std::string_view line);
  void split_separated(std::string_view line);
  /// Takes a quoted field from the front of `rest`; a doubled quote inside stands for one.
  std::string_view take_quoted(std::string_view& rest);
  bool at_quote(std::string_view rest) const;

  char separator_;
  std::string_view quotes_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;
  bool closed_ = true;
};

/// The fields of a line of a file, which is a row. Throws DataError: a quote that is not closed.
const std::vector<std::string_view>& split_line(Fields& fields, std::string_view line, const std::string& origin,
                                                std::size_t number);

/// As suggest() of names out of a file: in quotes where one of them has a comma; "" where there are none.
std::string suggest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace elmx
