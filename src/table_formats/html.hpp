#pragma once

#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// The table for a page: a <div class="table"> of the table with its caption, its remarks and its footnotes.
/// Well-formed as XML too.
std::string to_html(const Table& table);

/// The same <div> around any head and body: `content` is HTML, `attributes` are those of the <table>. A wide table
/// scrolls within itself.
std::string table_div(const std::string& title, const std::string& content, const std::string& attributes,
                      const std::vector<std::string>& remarks, const std::vector<std::string>& footnotes);

}  // namespace elmx
