#pragma once

#include <string>

#include "table_formats/table.hpp"

namespace elmx {

/// GitHub-flavoured markdown that is also readable in a terminal: columns padded, numbers to the right. A footnote is
/// marked [n] in its cell and stands below the table.
std::string to_markdown(const Table& table);

}  // namespace elmx
