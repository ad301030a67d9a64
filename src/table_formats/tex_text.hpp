#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// A part of a table in LaTeX with an upper bound of its width in ems of Computer Modern and of Times.
struct TexText {
  std::string tex;
  double width = 0;
};

/// Any text as text of LaTeX, at the beginning of a cell too, where "[" and "*" would be arguments of the row
/// before it.
TexText tex_text(std::string_view text);

/// The text in lines of at most `characters`, as one cell of a table whose last or first line is level with
/// the row. `alignment` is l, c or r.
TexText tex_lines(std::string_view text, std::size_t characters, char alignment, bool last_is_level);

/// The text as a paragraph in which TeX may break long words.
std::string tex_paragraph(std::string_view text);

}  // namespace elmx
