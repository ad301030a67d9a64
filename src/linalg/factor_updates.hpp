#pragma once

#include "linalg/view.hpp"

namespace elmx {

// Cholesky factors of a symmetric matrix that changes by a matrix of low rank, or loses rows and columns.
// The strict lower triangles of the factors are zero on entry and stay zero.

/// The sign of a change: samples are added to, or removed from, a sum over samples.
enum class Change { add, remove };
inline double sign_of(Change change) { return change == Change::add ? 1 : -1; }

/// Replaces R and Z so that, with the sign s = +1 (add) or -1 (remove),
///
///     R'R <- R'R + s X'X,     R'Z <- R'Z + s X'Y
///
/// R: k x k, upper triangular; Z: k x c; Xt = X': k x p and Yt = Y': c x p, both undefined on return.
///
/// Blocks of rows of X are rotated into blocks of columns of R. Rotations are orthogonal for s = +1 and
/// hyperbolic for s = -1. 3 p k^2 flops by matrix-matrix products. Returns not_positive_definite, with
/// undefined content, if rounding leaves R'R - X'X indefinite.
[[nodiscard]] Status update_cholesky(View<double> R, View<double> Z, View<double> Xt, View<double> Yt, Change change);

/// Replaces the inverse factor F of S, F F' = S^-1, by the inverse factor of S + s X'X.
///
/// F: k x k, upper triangular; Xt = X': k x p. 4 p k^2 flops by matrix-matrix products. The rotations of
/// update_cholesky are found from V = X F and applied to F'.
[[nodiscard]] Status update_inverse_cholesky(View<double> F, View<const double> Xt, Change change);

/// Replaces R by the factor of R'R without the rows and columns `removed` (ascending), and Z = R^-T C by Z
/// for the other rows of C. Givens rotations: at most 3 k^2 flops for each removed column.
void remove_from_cholesky(arma::mat& R, arma::mat& Z, const arma::uvec& removed);

/// Replaces the inverse factor F of S by the inverse factor of S without the rows and columns `removed`
/// (ascending). Givens rotations: at most 3 k^2 flops for each removed column.
void remove_from_inverse_cholesky(arma::mat& F, const arma::uvec& removed);

}  // namespace elmx
