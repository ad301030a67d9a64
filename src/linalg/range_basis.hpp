#pragma once

#include <algorithm>

#include "linalg/view.hpp"

namespace elmx {

/// H = Q B to rounding, by QR with column pivoting (LAPACK geqp3): the columns of Q are an orthonormal basis
/// of the range of H, the most important directions first. H: N x L of numerical rank r, Q: N x r, Bt = B': L
/// x r.
///
/// Rank: |R_kk| > tolerance |R_11|. The first k columns of Q and Bt are what any larger tolerance gives.
struct RangeBasis {
  arma::mat Q;
  arma::mat Bt;
  arma::vec diagonal;  ///< |R_kk|, not increasing

  uword rank() const { return Q.n_cols; }
  uword rank(double tolerance) const;

  /// Below this part of the largest singular value one counts as zero in a pseudo-inverse of H: eps max(N,
  /// L).
  double pseudo_inverse_tolerance() const {
    return arma::datum::eps * static_cast<double>(std::max(Q.n_rows, Bt.n_rows));
  }
  double bytes() const { return 8.0 * static_cast<double>(Q.n_elem + Bt.n_elem); }
};

/// 4 N L min(N, L) flops at most, on one thread.
[[nodiscard]] Status range_basis(View<const double> H, double tolerance, RangeBasis& basis);

/// W = B^+ V of B = Bt' of full row rank r, W: L x c of smallest norm: Bt = Z R, W = Z R'^-1 V. 2 L r^2 flops
/// once.
class MinimumNormLift {
 public:
  explicit MinimumNormLift(arma::mat Bt);

  /// V: r x c -> W: L x c. 2 L r c flops.
  arma::mat operator()(const arma::mat& V) const;

 private:
  arma::mat Z_;  // L x r, orthonormal
  arma::mat R_;  // r x r
};

}  // namespace elmx
