#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Factorises G = R'R in place: reads the upper triangle of G (n x n) and replaces it by R; the rest is not
/// touched. n^3 / 3 flops, in blocks, by matrix-matrix products. On not_positive_definite the content of G is
/// undefined.
template <class T>
[[nodiscard]] Status cholesky(View<T> G);

/// Computes B = (R'R)^-1 B.   R: n x n, B: n x k.   2 n^2 k flops.
template <class T>
void cholesky_solve(View<const std::type_identity_t<T>> R, View<T> B);

/// Computes B = A^-1 B for a symmetric positive definite A. The lower triangle of A is read and overwritten
/// (LAPACK posv). A: n x n, B: n x k. n^3 / 3 + 2 n^2 k flops on one thread: for systems of some hundred
/// unknowns this is faster than cholesky(). On not_positive_definite the content of A and B is undefined.
[[nodiscard]] Status solve_definite(View<double> A, View<double> B);

}  // namespace elmx
