#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// Columns that a text of UTF-8 takes on a terminal: 1 a character, 2 where it is wide (East Asian), 0 where it combines
/// with the one before it. What is no UTF-8 counts 1 a byte.
std::size_t display_width(std::string_view text);

/// The text broken at blanks into lines of at most `width` columns; a word that is longer is broken within. At least one
/// line.
std::vector<std::string> lines_of_text(std::string_view text, std::size_t width);

/// The widest of the words between blanks.
std::size_t longest_word(std::string_view text);

}  // namespace elmx
