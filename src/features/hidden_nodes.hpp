#pragma once

#include <string>
#include <variant>
#include <vector>

#include "features/random_layer.hpp"
#include "features/rbf_layer.hpp"

namespace elmx {

/// Random hidden nodes of any kind. A config names the kind: an activation of additive nodes f(a'x + b),
/// "rbf" or "fourier".
class HiddenNodes {
 public:
  static HiddenNodes draw(const std::string& kind, const Rng& rng, uword inputs, uword nodes,
                          const RandomLayerRanges& ranges, std::uint64_t first_draw = 0);

  /// Returns nodes of given weights or centres (d x L) and biases or widths (1 x L).
  static HiddenNodes made_of(const std::string& kind, arma::mat weights, arma::rowvec biases);

  /// Returns the given nodes, in their order.
  HiddenNodes only(const arma::uvec& nodes) const;

  /// Computes H (n x L) of the first L nodes for the samples first .. first + n - 1 of `inputs`. "rbf" nodes
  /// exist in double precision only.
  void outputs(const Inputs& inputs, uword first, View<double> H) const;
  void outputs(const Inputs& inputs, uword first, View<float> H) const;

  uword count() const;

  /// The kind that made_of takes.
  const std::string& kind() const { return kind_; }

  /// Returns all weights: (d + 1) x L.
  arma::mat weights() const;

 private:
  HiddenNodes(std::string kind, std::variant<RandomLayer, RbfLayer> layer)
      : kind_(std::move(kind)), layer_(std::move(layer)) {}

  std::string kind_;
  std::variant<RandomLayer, RbfLayer> layer_;
};

/// Returns "rbf" and the names of all activations, but not "fourier", which has a parameter of its own.
std::vector<std::string> hidden_node_names();

}  // namespace elmx
