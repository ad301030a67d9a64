#include "models/algorithm_names.hpp"

#include <fmt/core.h>

#include "solvers/ridge_algorithms.hpp"

namespace elmx {

void check_block_algorithms(const std::vector<std::string>& names, const std::string& place, const std::string& why) {
  const std::vector<RidgeAlgorithm> known = block_algorithms();
  for (const std::string& name : names) {
    const auto by_nodes = [&](const RidgeAlgorithm& row) { return row.name == name && row.kind == StepKind::node; };
    if (std::ranges::none_of(ridge_algorithms(), by_nodes)) continue;
    std::vector<std::string_view> allowed;
    for (const RidgeAlgorithm& row : known) allowed.push_back(row.name);
    throw ConfigError(fmt::format("{}/algorithms: \"{}\": it adds one node at a time, and {}{}", place, name, why,
                                  suggest("", allowed)));
  }
  check_algorithms(names, known, place);
}

}  // namespace elmx
