#pragma once

#include <algorithm>
#include <string>

#include "report/formats/table.hpp"

namespace elmx {

/// Returns the index of the column of that name; the number of columns if there is none.
inline std::size_t place_of(const Table& table, const std::string& column) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, column, &Column::name) - table.columns.begin());
}

}  // namespace elmx
