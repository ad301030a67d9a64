#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Replaces R and Z by R+ and Z+ of  [R; V] = Q [R+; 0],  [Z+; *] = Q'[Z; T]  (LAPACK tpqrt, `block` columns
/// at once).   R: L x L upper triangular, Z: L x c, V: k x L, T: k x c.
void append_rows(arma::mat& R, arma::mat& Z, arma::mat V, arma::mat T, int block);

/// The independent reference for every ridge solution: QR of the augmented system, which never forms H'H.
///
///     minimise over W    || [H; sqrt(lambda) I] W - [T; 0] ||_F^2
///
/// State: R W = Z, where after every call  [H T; sqrt(lambda) I 0] = Q [R Z; 0 *]. Blocks of samples are
/// folded into the triangle one after another (LAPACK tpqrt), so the memory is L^2 for any number of samples.
/// Always in double. Cost: 2 N L^2 flops. Error: proportional to cond(H), not to its square.
///
/// Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU factorizations"
/// (2012).
class RidgeQr {
 public:
  /// R = sqrt(lambda) I, Z = 0. Requires lambda >= 0.
  RidgeQr(uword nodes, uword outputs, double lambda);

  /// Appends the rows [H_k T_k].   H_k: k x L, T_k: k x c; each in float or double.
  template <class T, class Y>
  void add_samples(View<const T> H, View<const Y> targets);

  /// Computes W: L x c. Returns not_positive_definite if R is singular to working precision: lambda is
  /// (nearly) 0 and nodes are dependent.
  [[nodiscard]] Status solve(arma::mat& W) const;

  /// Returns R^-1: L x L, upper triangular. R^-1 R^-T is the inverse of H'H + lambda I. Call it only after
  /// solve has returned ok.
  arma::mat inverse_factor() const;

  /// Estimates the 1-norm condition number of H'H + lambda I = R'R.
  double condition() const;

 private:
  arma::mat R_;  // L x L, upper triangular
  arma::mat Z_;  // L x c
};

}  // namespace elmx
