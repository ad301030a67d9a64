#pragma once

#include <algorithm>
#include <armadillo>

#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {

/// The solution of a ridge problem from the singular values of H. R = H'H + lambda I.
struct RidgeSolution {
  arma::mat weights;    // V diag(s / (s^2 + lambda)) U' T
  double condition;     // cond_2(R)
  double inverse_norm;  // ||R^-1||_2
};

inline RidgeSolution solve_by_svd(const arma::mat& H, const arma::mat& T, double lambda) {
  arma::mat U, V;
  arma::vec s;
  arma::svd_econ(U, s, V, H);
  const double least = (H.n_rows < H.n_cols ? 0 : s.min() * s.min()) + lambda;
  return {V * arma::diagmat(s / (s % s + lambda)) * U.t() * T, (s.max() * s.max() + lambda) / least, 1 / least};
}

/// Returns a bound of the relative distance of weights of a given ridge_backward_error from the exact ones
/// (not zero):
///
///     W - W* = R^-1 gradient,   ||gradient|| = backward (||H|| (||H|| ||W|| + ||T||) + lambda ||W||)
inline double forward_bound(const arma::mat& H, const arma::mat& T, double lambda, const RidgeSolution& exact,
                            double backward) {
  const double h = frobenius(H), w = frobenius(exact.weights);
  return exact.inverse_norm * backward * (h * (h * w + frobenius(T)) + lambda * w) / w;
}

}  // namespace elmx
