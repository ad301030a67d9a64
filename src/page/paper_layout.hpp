#pragma once

#include <string>

#include "table_formats/table.hpp"

namespace elmx {

/// Returns true if the table sets published numbers beside measured ones (compare_with_paper).
bool is_published(const Table& table);

/// A comparison with a published table (compare_with_paper) in the layout of papers, as HTML: the last of its keys that
/// has several values heads the columns (with the one before it where those are mean and deviation), the others head
/// the rows; a cell has the published number above the measured one, and a sign where they disagree. "" where the keys
/// make no such table: less than half of it would be filled.
std::string paper_layout(const Table& comparison);

}  // namespace elmx
