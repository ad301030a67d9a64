#pragma once

#include <cstddef>
#include <vector>

namespace elmx {

/// Columns of a terminal that a column of a table can do with, and that it would like to have.
struct WidthRange {
  std::size_t least = 0, natural = 0;
};

/// Blanks between two columns.
inline constexpr std::size_t kGap = 2;

/// The widths of as many columns as have room, from the left, at least one: each has its least, and what is left over
/// goes to the first ones that want more.
std::vector<std::size_t> column_widths(const std::vector<WidthRange>& columns, std::size_t room);

}  // namespace elmx
