#pragma once

#include "linalg/view.hpp"

namespace elmx {

// The inverse LDL' factors of a symmetric positive definite R: L unit upper triangular, D diagonal, L D L' = R^-1; the
// inverse Cholesky factor without square roots (F = L D^1/2). In place on the upper triangle of one array: L strictly
// above the diagonal, D on it; what lies below is neither read nor written. On not_positive_definite (also where a
// pivot is below the normal numbers) the columns that were to be factorised are undefined, those before them are
// untouched.

/// S: n x n, the upper triangle of R on entry, L and D on return. 2 n^3 / 3 flops, by matrix-matrix products.
template <class T>
[[nodiscard]] Status inverse_ldl(View<T> S);

/// Borders the factors of the first k columns by q = n - k columns: [R P; P' Q] is the bordered matrix.
///
///     V = L1'P,   L2 D2 L2' = (Q - V' D1 V)^-1,   L = [L1 -L1 D1 V L2; . L2]
///
/// 2 k^2 q + 2 k q^2 + 2 q^3 / 3 flops.
template <class T>
[[nodiscard]] Status extend_inverse_ldl(View<T> S, uword k);

/// The same column by column: d = 1 / S_ii, f = S_(1:i-1, i), r = S_(i, i+1:n),
///
///     S_(1:i-1, i+1:n) -= d f r,   S_(i+1:n, i+1:n) -= d r'r,   S_(i, i+1:n) = -d r,   S_ii = d
template <class T>
[[nodiscard]] Status inverse_ldl_by_columns(View<T> S);

}  // namespace elmx
