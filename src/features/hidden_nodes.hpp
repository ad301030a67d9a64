#pragma once

#include <string>
#include <variant>
#include <vector>

#include "features/random_layer.hpp"
#include "features/rbf_layer.hpp"

namespace elmx {

/// Random hidden nodes of any kind, by the name that a config gives them: an activation of additive nodes
/// f(a'x + b), "rbf" or "fourier".
class HiddenNodes {
 public:
  static HiddenNodes draw(const std::string& kind, const Rng& rng, uword inputs, uword nodes,
                          const RandomLayerRanges& ranges, std::uint64_t first_draw = 0);

  /// Nodes of given weights or centres (d x L) and biases or widths (1 x L).
  static HiddenNodes made_of(const std::string& kind, arma::mat weights, arma::rowvec biases);

  /// The nodes named, in that order.
  HiddenNodes only(const arma::uvec& nodes) const;

  /// H: n x L, the first L nodes, for the samples first .. first + n - 1 of `inputs`. In single precision:
  /// not of "rbf".
  void outputs(const Inputs& inputs, uword first, View<double> H) const;
  void outputs(const Inputs& inputs, uword first, View<float> H) const;

  uword count() const;

  /// As made_of takes it.
  const std::string& kind() const { return kind_; }

  /// All weights: (d + 1) x L.
  arma::mat weights() const;

 private:
  HiddenNodes(std::string kind, std::variant<RandomLayer, RbfLayer> layer)
      : kind_(std::move(kind)), layer_(std::move(layer)) {}

  std::string kind_;
  std::variant<RandomLayer, RbfLayer> layer_;
};

/// "rbf" and the names of all activations; without "fourier", which has a parameter of its own.
std::vector<std::string> hidden_node_names();

}  // namespace elmx
