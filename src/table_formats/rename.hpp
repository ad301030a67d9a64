#pragma once

#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// Gives names of tables other texts, in every format. A change "HEADING=TEXT" names a column, a field that
/// heads rows, or a metric; "FIELD.VALUE=TEXT" names a value of a field, in its column or in the headings of
/// a pivot. Throws ConfigError: a name that no table has, with the nearest one; two columns that would have
/// one name.
void rename_in(std::vector<Table>& tables, const std::vector<std::string>& changes);

}  // namespace elmx
