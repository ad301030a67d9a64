#pragma once

#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// Rows of a table that stand together under a heading, with the columns that tell them apart.
struct Block {
  std::string heading;  ///< "case sines, nodes 100": what is the same in all of them; "" = nothing is
  std::vector<std::size_t> columns;
  std::vector<std::size_t> rows;
};

/// The whole table as one block.
Block whole_table(const Table& table);

/// Neighbouring rows that begin with the same text become a block, where there are at least twice as many rows as
/// blocks, else all are one. In it a column that says one thing in all rows is part of the heading (of a single row:
/// texts alone), and one without any content ("-", NA) is left out. A number with a standard deviation, a mark or a
/// footnote stays where it is, and so does the last column there is.
std::vector<Block> blocks_of(const Table& table);

}  // namespace elmx
