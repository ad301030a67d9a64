#pragma once

#include <algorithm>

#include "linalg/view.hpp"

namespace elmx {

/// Decomposes a symmetric matrix A = V diag(theta) V', theta ascending: reads the upper triangle of A and
/// replaces A by V. About 9 n^3 flops (LAPACK syevd), on one thread. Returns not_finite if A has an entry
/// that is not finite, or the iteration does not converge.
[[nodiscard]] Status symmetric_eigen(arma::mat& A, arma::vec& theta);

/// Computes the solution of smallest norm of  min || H W - T ||_F  by the singular value decomposition
/// (LAPACK gelsd): W = H^+ T. Singular values below `tolerance` times the largest count as zero; tolerance 0
/// stands for eps max(N, L). H: N x L, T: N x c, W: L x c; N < L is allowed. Returns not_finite if an entry
/// is not finite or the decomposition does not converge.
[[nodiscard]] Status minimum_norm(View<const double> H, View<const double> T, arma::mat& W, double tolerance = 0);

/// Returns the direction of h orthogonal to the columns of Q (n x k, orthonormal), by Gram-Schmidt, twice.
/// The result is empty if h depends on the columns: the remainder is below 1e-10 ||h||. 8 n k flops.
arma::vec orthogonal_direction(const arma::mat& Q, arma::vec h);

/// The factorisation H = Q B (to rounding) by QR with column pivoting (LAPACK geqp3). The columns of Q are an
/// orthonormal basis of the range of H, the most important directions first. H: N x L of numerical rank r, Q:
/// N x r, Bt = B': L x r.
///
/// The rank is the number of k with |R_kk| > tolerance |R_11|. A larger tolerance gives the leading columns
/// of the same Q and Bt.
struct RangeBasis {
  arma::mat Q;
  arma::mat Bt;
  arma::vec diagonal;  ///< |R_kk|, not increasing

  uword rank() const { return Q.n_cols; }
  uword rank(double tolerance) const;

  /// Returns the ratio to the largest singular value below which a pseudo-inverse of H takes a singular value
  /// for zero: eps max(N, L).
  double pseudo_inverse_tolerance() const {
    return arma::datum::eps * static_cast<double>(std::max(Q.n_rows, Bt.n_rows));
  }
  double bytes() const { return 8.0 * static_cast<double>(Q.n_elem + Bt.n_elem); }
};

/// Computes the basis in at most 4 N L min(N, L) flops, on one thread.
[[nodiscard]] Status range_basis(View<const double> H, double tolerance, RangeBasis& basis);

/// Computes W = B^+ V (L x c, of smallest norm) for B = Bt' of full row rank r: Bt = Z R, W = Z R'^-1 V. 2 L
/// r^2 flops once.
class MinimumNormLift {
 public:
  explicit MinimumNormLift(arma::mat Bt);

  /// Maps V (r x c) to W (L x c). 2 L r c flops.
  arma::mat operator()(const arma::mat& V) const;

 private:
  arma::mat Z_;  // L x r, orthonormal
  arma::mat R_;  // r x r
};

}  // namespace elmx
