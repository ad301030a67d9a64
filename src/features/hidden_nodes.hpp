#pragma once

#include <string>
#include <vector>

#include "base/rng.hpp"
#include "data/transforms/inputs.hpp"
#include "features/activation.hpp"
#include "linalg/view.hpp"

namespace elmx {

/// The kinds of hidden nodes that are no activation of a'x + b.
inline constexpr const char* kRbf = "rbf";
inline constexpr const char* kFourier = "fourier";

/// Ranges of the random weights: a ~ U[weights], b ~ U[biases].
struct NodeRanges {
  double weight_min = -1, weight_max = 1;
  double bias_min = 0, bias_max = 1;
  double gamma = 1;  ///< for Fourier features, whose weights are normal: the kernel exp(-gamma ||x - y||^2)
};

/// Hidden nodes whose random weights are never trained. A config names their kind:
///
///     an activation f    f(a_j'x + b_j): H = f(X W + 1 b), eq. (5) transposed
///     rbf                exp(-b_j ||a_j - x||^2) (Huang & Siew 2005)
///     fourier            sin(a_j'x + b_j), a_j ~ N(0, 2 gamma I), b_j ~ U[0, 2 pi)
///
/// For Fourier features, E[2 sin(a'x + b) sin(a'y + b)] = exp(-gamma ||x - y||^2), because the sine of b is
/// the cosine of b - pi / 2, which is as uniform. A. Rahimi, B. Recht, "Random features for large-scale
/// kernel machines", NIPS 20, 2007, algorithm 1.
struct HiddenNodes {
  using Number = double;  ///< of the outputs in a prediction (network_output)

  std::string kind = "linear";
  Activation activation = Activation::linear;  ///< of the kind; of rbf the Gaussian function
  arma::mat W;                                 ///< d x L, weights or centres a_j
  arma::rowvec b;                              ///< 1 x L, biases or widths

  HiddenNodes() = default;
  /// Throws ConfigError for an unknown kind.
  HiddenNodes(std::string its_kind, arma::mat weights, arma::rowvec biases);

  /// Draws nodes, which uses up (d + 1) L draws. first_draw: the first draw of node 0. Node j depends only on
  /// the Rng and j, whether nodes are drawn one by one or in blocks.
  static HiddenNodes draw(const std::string& kind, const Rng& rng, uword inputs, uword nodes, const NodeRanges& ranges,
                          std::uint64_t first_draw = 0);

  /// Returns the given nodes, in their order.
  HiddenNodes only(const arma::uvec& nodes) const { return {kind, W.cols(nodes), b.cols(nodes)}; }

  uword count() const { return b.n_elem; }

  /// Returns all weights: (d + 1) x L.
  arma::mat weights() const { return arma::join_cols(W, b); }

  /// Returns the bytes that nodes and their `outputs` take for `samples` samples of numbers of `word` bytes.
  static double working_bytes(uword inputs, uword nodes, uword samples, double word);

  /// Computes H (n x L) of the first L nodes for the samples first .. first + n - 1 of `inputs` (n = H.rows).
  /// 2 n d L flops, in blocks of samples: gather and scale, multiply, activate. "rbf" nodes exist in double
  /// precision only: ||a - x||^2 = ||a||^2 + ||x||^2 - 2 a'x, not below 0.
  void outputs(const Inputs& inputs, uword first, View<double> H) const;
  void outputs(const Inputs& inputs, uword first, View<float> H) const;
};

/// Returns "rbf" and the names of all activations, but not "fourier", which has a parameter of its own.
std::vector<std::string> hidden_node_names();

}  // namespace elmx
