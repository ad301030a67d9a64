#pragma once

#include "base/rng.hpp"
#include "data/transforms/inputs.hpp"
#include "features/activation.hpp"
#include "linalg/view.hpp"

namespace elmx {

/// Ranges of the random weights: a ~ U[weights], d ~ U[biases].
struct RandomLayerRanges {
  double weight_min = -1, weight_max = 1;
  double bias_min = 0, bias_max = 1;
  double gamma = 1;  ///< for Fourier features, whose weights are normal: the kernel exp(-gamma ||x - y||^2)
};

/// Hidden nodes with random weights that are never trained: H = f(X W + 1 b), eq. (5) transposed. Node j
/// depends only on the Rng and j, whether nodes are drawn one by one or in blocks.
struct RandomLayer {
  Activation activation;
  arma::mat W;     // d x L
  arma::rowvec b;  // 1 x L

  /// Draws a layer, which uses up (d + 1) L draws. first_draw: the first draw of node 0.
  static RandomLayer draw(const Rng& rng, uword inputs, uword nodes, Activation activation,
                          const RandomLayerRanges& ranges, std::uint64_t first_draw = 0);

  /// Returns the given nodes, in their order.
  RandomLayer only(const arma::uvec& nodes) const { return {activation, W.cols(nodes), b.cols(nodes)}; }

  /// Returns the bytes that a layer and its `outputs` take for `samples` samples of numbers of `word` bytes.
  static double working_bytes(uword inputs, uword nodes, uword samples, double word);

  /// Computes H (n x L) of the first L nodes for the samples first .. first + n - 1 of `inputs` (n = H.rows).
  /// T is float or double. 2 n d L flops, in blocks of samples: gather and scale, multiply, activate.
  template <class T>
  void outputs(const Inputs& inputs, uword first, View<T> H) const;
};

}  // namespace elmx
