#pragma once

#include <cstddef>
#include <vector>

namespace elmx {

/// Columns of a terminal that a column of a table can do with, and that it would like to have.
struct WidthRange {
  std::size_t least = 0, natural = 0;
  int rank = 0;  ///< columns of a lower one get room before the others, wherever they stand
};

/// Blanks between two columns.
inline constexpr std::size_t kGap = 2;

/// The width of each column: its least, and what is left over goes to the leftmost ones that want more. Where there is
/// no room for all, columns of a rank are left out (0) from the right; one stays whatever the room.
std::vector<std::size_t> column_widths(const std::vector<WidthRange>& columns, std::size_t room);

}  // namespace elmx
