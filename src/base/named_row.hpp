#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace elmx {

/// Returns the row of a table with this name. Throws ConfigError: `message`, and the nearest name or all
/// names.
template <class Rows>
const auto& named_row(const Rows& rows, std::string_view name, const std::string& message) {
  std::vector<std::string> known;
  for (const auto& row : rows) {
    if (row.name == name) return row;
    known.emplace_back(row.name);
  }
  throw ConfigError(message + suggest(name, known));
}

}  // namespace elmx
