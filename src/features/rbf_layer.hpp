#pragma once

#include "features/random_layer.hpp"

namespace elmx {

/// Gaussian hidden nodes exp(-b_j ||a_j - x||^2) with random centres and widths that are never trained
/// (Huang & Siew 2005). Node j depends only on the Rng and j, and uses the same draws as node j of a
/// RandomLayer.
struct RbfLayer {
  arma::mat A;     // d x L
  arma::rowvec b;  // 1 x L

  static RbfLayer draw(const Rng& rng, uword inputs, uword nodes, const RandomLayerRanges& ranges,
                       std::uint64_t first_draw = 0);

  /// Returns the given nodes, in their order.
  RbfLayer only(const arma::uvec& nodes) const { return {A.cols(nodes), b.cols(nodes)}; }

  /// Computes H (n x L) of the first L nodes for the samples first .. first + n - 1 of `inputs` (n = H.rows).
  /// 2 n d L flops; ||a - x||^2 = ||a||^2 + ||x||^2 - 2 a'x, not below 0.
  void outputs(const Inputs& inputs, uword first, View<double> H) const;
};

}  // namespace elmx
