#pragma once

#include <string>

#include "table_formats/table.hpp"

namespace elmx {

/// The table for a page: a <div class="table"> of the table with its caption, its remarks and its footnotes.
/// Well-formed as XML too.
std::string to_html(const Table& table);

}  // namespace elmx
