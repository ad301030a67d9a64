#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace elmx {

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// Returns the algorithms that grow a ridge solution: all of them, and those that add blocks of nodes.
std::vector<std::string> ridge_algorithm_names();
std::vector<std::string> block_algorithm_names();

/// Throws ConfigError unless `names` lists one or more rows of the table of algorithms of a family, each
/// once.
template <class Rows>
void check_algorithms(const std::vector<std::string>& names, const Rows& rows, const std::string& place) {
  const std::vector<std::string> known = names_of(rows);
  if (names.empty()) throw ConfigError(place + "/algorithms", "expected at least one algorithm, found []");
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw ConfigError(place + "/algorithms", "unknown algorithm \"" + name + "\"" + suggest(name, known));
    }
    if (std::count(names.begin(), names.end(), name) > 1) {
      throw ConfigError(place + "/algorithms", "duplicate algorithm \"" + name + "\"; list each algorithm once");
    }
  }
}

/// Checks names of algorithms that grow a ridge solution by blocks of nodes. why: the reason for refusing an
/// algorithm that adds single nodes.
void check_block_algorithms(const std::vector<std::string>& names, const std::string& place, const std::string& why);

}  // namespace elmx
