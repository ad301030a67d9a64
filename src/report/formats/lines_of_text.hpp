#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// Returns the number of columns of a UTF-8 text on a terminal: 1 per character, 2 for wide (East Asian)
/// ones, 0 for combining ones. Invalid UTF-8 counts 1 per byte.
std::size_t display_width(std::string_view text);

/// Breaks a text at blanks, and longer words, into one or more lines of at most `width` columns.
std::vector<std::string> lines_of_text(std::string_view text, std::size_t width);

/// Returns the width of the longest word between blanks.
std::size_t longest_word(std::string_view text);

/// The least and the preferred width of a column of a table on a terminal.
struct WidthRange {
  std::size_t least = 0, natural = 0;
  int rank = 0;  ///< columns of a lower rank get room first, whatever their place
};

/// Blanks between two columns.
inline constexpr std::size_t kGap = 2;

/// Returns the width of each column: its least width, plus the remaining room for the leftmost columns that
/// want more. If there is not enough room, columns are left out (width 0), the highest rank first and from
/// the right; one column always stays.
std::vector<std::size_t> column_widths(const std::vector<WidthRange>& columns, std::size_t room);

}  // namespace elmx
