#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace elmx {

/// Returns the row of a table with this name. Throws ConfigError with this place, and with `problem` followed by the
/// nearest name or all names.
template <class Rows>
const auto& named_row(const Rows& rows, std::string_view name, const std::string& place, const std::string& problem) {
  std::vector<std::string> known;
  for (const auto& row : rows) {
    if (row.name == name) return row;
    known.emplace_back(row.name);
  }
  throw ConfigError(place, problem + suggest(name, known));
}

/// Does the same for an error without a place.
template <class Rows>
const auto& named_row(const Rows& rows, std::string_view name, const std::string& problem) {
  return named_row(rows, name, "", problem);
}

}  // namespace elmx
