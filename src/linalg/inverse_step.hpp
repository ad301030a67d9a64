#pragma once

#include <cmath>
#include <limits>

#include "linalg/view.hpp"

// Helpers of the inverse factorisations on the upper triangle of one array. Each factorisation has a form by
// columns and a recursive form that borders the factor of the first columns by the others.

namespace elmx {

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
///     S_rj = p S_rj - f_r rho_j   (r < i),    S_ij = -w rho_j,    S_rj = p S_rj - a_r rho_j   (i < r <= j)
template <class T>
void eliminate(View<T> S, uword i, T p, const T* a, const T* rho, T w) {
  const T* f = &S(0, i);
  for (uword j = i + 1; j < S.cols; ++j) {
    T* s = &S(0, j);
    for (uword r = 0; r < i; ++r) s[r] = p * s[r] - f[r] * rho[j];
    s[i] = -w * rho[j];
    for (uword r = i + 1; r <= j; ++r) s[r] = p * s[r] - a[r] * rho[j];
  }
}

}  // namespace elmx
