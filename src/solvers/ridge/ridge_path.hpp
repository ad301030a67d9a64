#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Solves min ||H W - T||^2 + lambda ||W||^2 for one H and many lambda, by Cholesky of the smaller Gram
/// matrix, which is formed once:
///
///     n >= L   W = (H'H + lambda I)^-1 H'T
///     n <  L   W = H'(H H' + lambda I)^-1 T
///
/// H: n x L, T: n x C. m = min(n, L): n L m flops once, m^3 / 3 + 2 m^2 C (+ 2 n L C) for each lambda.
class RidgePath {
 public:
  RidgePath(arma::mat H, arma::mat T);

  /// Computes W: L x C. lambda > 0.
  [[nodiscard]] Status solve(double lambda, arma::mat& W) const;

 private:
  bool primal() const { return H_.n_rows >= H_.n_cols; }

  arma::mat H_;
  arma::mat right_;  // H'T or T
  arma::mat G_;      // H'H or HH', upper triangle
};

}  // namespace elmx
