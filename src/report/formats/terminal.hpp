#pragma once

#include <string>
#include <vector>

#include "report/formats/table.hpp"

namespace elmx {

struct TerminalStyle {
  std::size_t width = 80;
  bool colour = false;     ///< use escape codes; without them the best is marked *
  std::string whole = {};  ///< location of the whole table: "all columns are in DIR/tables/time.csv"
};

/// Writes a table for a terminal: no line is wider than the terminal, columns are aligned, the best values
/// are highlighted. If the table is too wide
///
///     rows that begin with the same text become a block, if most blocks have several rows
///     values that all rows of a block share move to its heading; columns with only "-" or NA are left out
///     headings and texts are wrapped
///     columns that still do not fit are left out, the least important first, and named below
///
/// Control characters are escaped, so a name from a file cannot control the terminal.
std::string to_terminal(const Table& table, const TerminalStyle& style);

}  // namespace elmx
