#pragma once

#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

struct TerminalStyle {
  std::size_t width = 80;
  bool colour = false;     ///< escape codes; without them the best is marked *
  std::string whole = {};  ///< where the whole table is, as in "all columns are in DIR/tables/time.csv"
};

/// The table for a reader at a terminal: no line is wider than the terminal, columns are aligned, the best of
/// them stands out. Where it is too wide
///
///     rows that begin with the same text become a block under it, where there are as a rule several of them
///     what is the same in all rows of a block stands in its heading; what is "-" or NA in all of them is left out
///     headings and texts are wrapped
///     columns that still have no room are left out, those of the least worth first, and named below
///
/// Control characters are escaped: a name out of a file cannot steer the terminal.
std::string to_terminal(const Table& table, const TerminalStyle& style);

}  // namespace elmx
