#pragma once

#include <cmath>
#include <limits>

#include "linalg/view.hpp"

namespace elmx {

// The inverse Cholesky factor of a symmetric positive definite R: F upper triangular with F F' = R^-1 (F^-T
// is the lower Cholesky factor of R). The functions work in place on the upper triangle of one array and
// neither read nor write its strict lower triangle. On not_positive_definite the columns to be factorised are
// undefined, and the columns before are untouched.

/// A function that forms F.   S: n x n, the upper triangle of R on entry, F on return.
template <class T>
using InverseFactorisation = Status (*)(View<T> S);

/// Computes F by bordering the factor of the first half with the other half, recursively. 2 n^3 / 3 flops, by
/// matrix-matrix products. The products F'P lose digits if R is nearly singular.
template <class T>
[[nodiscard]] Status inverse_cholesky(View<T> S);

/// Computes F from the Cholesky factor: R = U'U, F = U^-1. 2 n^3 / 3 flops, by matrix-matrix products. Breaks
/// down where the Cholesky factorisation does, at a smaller least eigenvalue of R than inverse_cholesky.
template <class T>
[[nodiscard]] Status inverse_of_cholesky(View<T> S);

/// Borders a factor by q = n - k columns, eqs. (41), (42): S = [F P; . Q] becomes [F T; . G].
///
///     V = F'P,   G G' = (Q - V'V)^-1,   T = -F V G
///
/// F: k x k factor of R; [R P; P' Q] is the bordered matrix; `factorise` forms G.   2 k^2 q + 2 k q^2 + 2 q^3
/// / 3 flops.
template <class T>
[[nodiscard]] Status extend_inverse_cholesky(View<T> S, uword k,
                                             InverseFactorisation<T> factorise = inverse_cholesky<T>);

/// Computes F column by column (algorithm 11): the right-looking form with one processor per column. For
/// small n.
template <class T>
[[nodiscard]] Status inverse_cholesky_by_columns(View<T> S);

// Helpers of this and of the LDL' factorisation (distributed_inverse_ldl.hpp).

constexpr uword kLeafColumns = 64;  // widest part that is factorised by columns, in the first-level cache

/// Returns how many columns of n form the factor that is bordered by the rest.
inline uword bordered_columns(uword n) { return (n / 2 + kLeafColumns - 1) / kLeafColumns * kLeafColumns; }

/// Returns true if x is positive and its reciprocal is finite and exact to rounding.
template <class T>
bool is_pivot(T x) {
  return x >= std::numeric_limits<T>::min() && std::isfinite(x);
}

/// Eliminates row i by columns, on the columns j > i of S (n x n), with f = S_(1:i-1, i), a: n, rho: n:
///
///     S_rj -= f_r rho_j   (r < i),    S_ij = -w rho_j,    S_rj -= a_r rho_j   (i < r <= j)
template <class T>
void eliminate(View<T> S, uword i, const T* a, const T* rho, T w) {
  const T* f = &S(0, i);
  for (uword j = i + 1; j < S.cols; ++j) {
    T* s = &S(0, j);
    for (uword r = 0; r < i; ++r) s[r] -= f[r] * rho[j];
    s[i] = -w * rho[j];
    for (uword r = i + 1; r <= j; ++r) s[r] -= a[r] * rho[j];
  }
}

}  // namespace elmx
