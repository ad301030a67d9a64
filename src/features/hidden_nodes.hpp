#pragma once

#include <string>
#include <variant>
#include <vector>

#include "features/random_layer.hpp"
#include "features/rbf_layer.hpp"

namespace elmx {

/// Random hidden nodes of either kind, by the name that a config gives them: an activation of additive nodes f(a'x + b), or "rbf".
class HiddenNodes {
 public:
  static HiddenNodes draw(const std::string& kind, const Rng& rng, uword inputs, uword nodes, const RandomLayerRanges& ranges);

  /// The nodes named, in that order.
  HiddenNodes only(const arma::uvec& nodes) const;

  /// H: n x L, for the samples first .. first + n - 1 of `inputs`.
  void outputs(const Inputs& inputs, uword first, View<double> H) const;

  uword count() const;

  /// All weights, for a key of what depends on them: (d + 1) x L.
  arma::mat weights() const;

 private:
  explicit HiddenNodes(std::variant<RandomLayer, RbfLayer> layer) : layer_(std::move(layer)) {}

  std::variant<RandomLayer, RbfLayer> layer_;
};

/// "rbf" and the names of all activations.
std::vector<std::string> hidden_node_names();

}  // namespace elmx
