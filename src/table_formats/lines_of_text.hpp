#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// Columns that a text of UTF-8 takes on a terminal: 1 a character, 2 where it is wide (East Asian), 0 where
/// it combines with the one before it. What is no UTF-8 counts 1 a byte.
std::size_t display_width(std::string_view text);

/// The text broken at blanks into lines of at most `width` columns; a word that is longer is broken within.
/// At least one line.
std::vector<std::string> lines_of_text(std::string_view text, std::size_t width);

/// The widest of the words between blanks.
std::size_t longest_word(std::string_view text);

/// Columns of a terminal that a column of a table can do with, and that it would like to have.
struct WidthRange {
  std::size_t least = 0, natural = 0;
  int rank = 0;  ///< columns of a lower one get room before the others, wherever they stand
};

/// Blanks between two columns.
inline constexpr std::size_t kGap = 2;

/// The width of each column: its least, and what is left over goes to the leftmost ones that want more. Where
/// there is no room for all, columns of a rank are left out (0) from the right; one stays whatever the room.
std::vector<std::size_t> column_widths(const std::vector<WidthRange>& columns, std::size_t room);

}  // namespace elmx
