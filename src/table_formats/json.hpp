#pragma once

#include <optional>
#include <string>

#include "table_formats/table.hpp"

namespace elmx {

/// {"name", "title", "columns": [{"name", "heading"}], "rows": [{column name: cell}], "footnotes", "remarks"} at full
/// precision. A cell is a text, a number (null = NA, "inf" where infinite) or, in a column with standard deviations,
/// {"mean", "sd"}; a row with footnotes has their numbers under "notes": {column name: number}.
std::string to_json_text(const Table& table);

/// Such a table again, its numbers shown with four digits where they have more; none where the text is no such table.
std::optional<Table> table_from_json_text(const std::string& text);

}  // namespace elmx
