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
    throw ConfigError(place + "/activation", "unknown activation \"" + activation + "\"" + suggest(activation, known));
  }
  if (activation != "rbf") return;
  if (single)
    throw ConfigError(place + "/precision", "\"rbf\" nodes are computed in double precision only; use \"double\"");
  if (!biases.empty() && biases[0] < 0) {
    throw ConfigError(
        place + "/biases",
        "the biases of \"rbf\" nodes are widths: expected a range of numbers >= 0, found " + Json(biases).dump());
  }
}

}  // namespace elmx
