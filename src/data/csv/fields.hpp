#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "data/values/text.hpp"

namespace elmx {

/// Splits a row into fields without surrounding blanks. A quoted field ends at a quote before a separator or
/// the end of the row; a doubled quote inside stands for one quote. Any other quote is an ordinary character.
class RowSplitter {
 public:
  /// separator: the character, or ' ' for runs of blanks and tabs.
  explicit RowSplitter(char separator) : separator_(separator) {}

  /// Returns the fields, valid until the next call.
  const std::vector<std::string_view>& split(std::string_view row);

  /// Returns true if a field of the last row starts with an unclosed quote, which a later line may close.
  bool has_open_quote() const { return open_quote_; }

  /// Returns true if a field of the last row starts with a quote that is an ordinary character.
  bool has_stray_quote() const { return stray_quote_; }

 private:
  bool separates(char c) const { return separator_ == ' ' ? is_blank(c) : c == separator_; }
  bool take_quoted(std::string_view& rest);

  char separator_;
  bool open_quote_ = false, stray_quote_ = false;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;
};

/// Iterates over the rows of a text. A row is one line, or several lines if a quoted field contains line
/// ends. Such a field is accepted only if its lines, taken as separate rows, do not all have the expected
/// number of fields. Two stray quotes thus do not swallow the rows between them.
class RowScanner {
 public:
  /// expected: fields of a row, 0 = not known. first_line: number of the first line of the text.
  RowScanner(std::string_view text, char separator, char line_end, std::size_t expected, std::size_t first_line)
      : lines_(text, line_end, first_line), splitter_(separator), expected_(expected) {}

  /// Moves to the next row, which may be blank. Returns false at the end.
  bool next();

  /// Moves to the next row that is neither blank nor a comment. Returns false at the end.
  bool next_content(std::string_view comment);

  std::string_view row() const { return row_; }              ///< without its line end
  std::size_t line() const { return line_; }                 ///< the first line of the row
  std::size_t last_line() const { return lines_.number(); }  ///< the last line of the row
  bool reached_end() const { return reached_end_; }          ///< a quote was open at the end of the text
  std::string_view rest() const { return lines_.rest(); }    ///< the text behind the row
  bool has_quotes() const { return has_quotes_; }            ///< the row has a quote

  /// Returns the fields of the row.
  const std::vector<std::string_view>& fields() { return splitter_.split(row_); }

 private:
  void take_more_lines(bool is_a_row);

  Lines lines_;
  std::string_view row_;
  RowSplitter splitter_;
  std::size_t expected_, line_ = 0;
  bool has_quotes_ = false, reached_end_ = false;
};

}  // namespace elmx
