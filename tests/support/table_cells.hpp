#pragma once

#include <algorithm>
#include <string>

#include "table_formats/table.hpp"

namespace elmx {

/// The index of the column of that name; the number of columns where there is none.
inline std::size_t place_of(const Table& table, const std::string& column) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, column, &Column::name) - table.columns.begin());
}

}  // namespace elmx
