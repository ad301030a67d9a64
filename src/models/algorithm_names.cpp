#include "models/algorithm_names.hpp"

#include <fmt/format.h>

#include "solvers/ridge_algorithms.hpp"

namespace elmx {

std::vector<std::string> ridge_algorithm_names() { return names_of(ridge_algorithms()); }
std::vector<std::string> block_algorithm_names() { return names_of(block_algorithms()); }

void check_block_algorithms(const std::vector<std::string>& names, const std::string& place, const std::string& why) {
  const std::vector<RidgeAlgorithm> known = block_algorithms();
  for (const std::string& name : names) {
    const auto by_nodes = [&](const RidgeAlgorithm& row) { return row.name == name && row.kind == StepKind::node; };
    if (std::ranges::none_of(ridge_algorithms(), by_nodes)) continue;
    throw ConfigError(place + "/algorithms", fmt::format("\"{}\" adds one node at a time, but {}; use one of: {}", name,
                                                         why, fmt::join(names_of(known), ", ")));
  }
  check_algorithms(names, known, place);
}

}  // namespace elmx
