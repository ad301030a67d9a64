#pragma once

#include <algorithm>
#include <armadillo>
#include <limits>

namespace elmx {

/// Returns the tolerance of one backward stable solve on the scale of ridge_backward_error: 10 eps max(N, L).
/// Tests that need more use a multiple and give the reason.
template <class Real = double>
double tolerance(arma::uword N, arma::uword L) {
  return 10.0 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * static_cast<double>(std::max(N, L));
}

/// Returns the Frobenius norm; NaN if an element is not finite (arma::norm returns 0 for NaN elements).
inline double frobenius(const arma::mat& M) {
  return M.is_finite() ? arma::norm(M, "fro") : std::numeric_limits<double>::quiet_NaN();
}

/// Returns the distance of beta from a stationary point, relative to the size of the terms (Frobenius norms):
///
///     ||H'(H beta - T) + lambda beta|| / (||H|| (||H|| ||beta|| + ||T||) + lambda ||beta||)
///
/// It is evaluated in double for all element types, so that it adds nothing to the error of a float solver.
template <class Real>
double ridge_backward_error(const arma::Mat<Real>& H, const arma::Mat<Real>& T, double lambda,
                            const arma::Mat<Real>& beta) {
  const arma::mat A = arma::conv_to<arma::mat>::from(H);
  const arma::mat B = arma::conv_to<arma::mat>::from(T);
  const arma::mat x = arma::conv_to<arma::mat>::from(beta);
  const double h = frobenius(A);
  const double size = frobenius(x);

  const double residual = frobenius(A.t() * (A * x - B) + lambda * x);
  const double scale = h * (h * size + frobenius(B)) + lambda * size;
  return residual == 0 ? 0 : residual / scale;
}

/// Returns ||A - B|| / max(||A||, ||B||) (Frobenius); 0 for two zero matrices, infinite if the shapes differ.
template <class Real>
double relative_difference(const arma::Mat<Real>& A, const arma::Mat<Real>& B) {
  if (A.n_rows != B.n_rows || A.n_cols != B.n_cols) return std::numeric_limits<double>::infinity();
  const arma::mat a = arma::conv_to<arma::mat>::from(A);
  const arma::mat b = arma::conv_to<arma::mat>::from(B);
  const double difference = frobenius(a - b);
  return difference == 0 ? 0 : difference / std::max(frobenius(a), frobenius(b));
}

}  // namespace elmx
