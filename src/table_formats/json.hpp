#pragma once

#include <optional>
#include <string>

#include "base/config/json.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// The value as text that is JSON whatever the bytes: what is no UTF-8 becomes U+FFFD, control characters are
/// escaped. `indent` as of Json::dump.
std::string json_text(const Json& json, int indent = -1);

/// {"name", "title", "columns": [{"name", "heading"}], "rows": [{column name: cell}], "footnotes",
/// "remarks"} at full precision. A column of a pivot has "labels": [{"field", "value", "text"}] too. A cell
/// is a text, a number (null = NA, "inf" where infinite) or, in a column with standard deviations, {"mean",
/// "sd"}; a row with footnotes has their numbers under "notes": {column name: number}.
std::string to_json_text(const Table& table);

/// Such a table again, its numbers shown with four digits where they have more; none where the text is no
/// such table.
std::optional<Table> table_from_json_text(const std::string& text);

}  // namespace elmx
