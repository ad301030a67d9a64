#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "features/hidden_nodes.hpp"

namespace elmx {

/// Throws ConfigError unless `activation` is one of the hidden nodes `known` and exists in this precision and
/// with such biases.
inline void check_hidden_nodes(const std::string& activation, const std::vector<std::string>& known,
                               const std::vector<double>& biases, bool single, const std::string& place) {
  if (std::ranges::count(known, activation) == 0) {
    throw ConfigError(place + "/activation: \"" + activation + "\": unknown" + suggest(activation, known));
  }
  if (activation != "rbf") return;
  if (single) throw ConfigError(place + "/precision: outputs of the nodes in single with rbf; allowed: in double");
  if (!biases.empty() && biases[0] < 0) {
    throw ConfigError(place + "/biases: " + Json(biases).dump() +
                      " with rbf, where they are widths; allowed: not below 0");
  }
}

}  // namespace elmx
