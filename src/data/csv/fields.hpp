#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "data/values/text.hpp"

namespace elmx {

/// Splits a row into fields. Blanks around a field are cut off. A field in quotes ends at a quote that a
/// separator or the end of the row follows, a doubled quote inside stands for one; any other quote is a
/// character like others.
class RowSplitter {
 public:
  /// separator: the character, or ' ' for runs of blanks and tabs.
  explicit RowSplitter(char separator) : separator_(separator) {}

  /// The fields, valid until the next call.
  const std::vector<std::string_view>& split(std::string_view row);

  /// Returns true if a field of the last row begins with a quote that never ends: it may end in a later line.
  bool has_open_quote() const { return open_quote_; }

  /// Returns true if a field of the last row begins with a quote that is a character like others.
  bool has_stray_quote() const { return stray_quote_; }

 private:
  bool separates(char c) const { return separator_ == ' ' ? is_blank(c) : c == separator_; }
  bool take_quoted(std::string_view& rest);

  char separator_;
  bool open_quote_ = false, stray_quote_ = false;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;
};

/// The rows of a text, one after the other: a line each, but for those with a quoted field that holds line
/// ends. Such a field is believed only if its lines, each taken as a row of its own, would not all have the
/// expected number of fields: two stray quotes do not swallow the rows between them.
class RowScanner {
 public:
  /// expected: fields of a row, 0 = not known. first_line: number of the first line of the text.
  RowScanner(std::string_view text, char separator, char line_end, std::size_t expected, std::size_t first_line)
      : lines_(text, line_end, first_line), splitter_(separator), expected_(expected) {}

  /// Moves to the next row, which may be blank; false at the end.
  bool next();

  /// Moves to the next row that is neither blank nor a comment; false at the end.
  bool next_content(std::string_view comment);

  std::string_view row() const { return row_; }              ///< without its line end
  std::size_t line() const { return line_; }                 ///< that the row begins in
  std::size_t last_line() const { return lines_.number(); }  ///< that the row ends in
  bool reached_end() const { return reached_end_; }          ///< a quote was open at the end of the text
  std::string_view rest() const { return lines_.rest(); }    ///< behind the row
  bool has_quotes() const { return has_quotes_; }            ///< the row has a quote

  /// The fields of the row.
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
