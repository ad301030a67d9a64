#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// G = R'R in place: reads the upper triangle of G (n x n), leaves R there and does not touch the rest. n^3 /
/// 3 flops, in blocks, by matrix-matrix products. On not_positive_definite the content of G is undefined.
template <class T>
[[nodiscard]] Status cholesky(View<T> G);

/// B = (R'R)^-1 B.   R: n x n, B: n x k.   2 n^2 k flops.
template <class T>
void cholesky_solve(View<const std::type_identity_t<T>> R, View<T> B);

/// B = A^-1 B of a symmetric positive definite A of which the lower triangle is stored and is overwritten
/// (LAPACK posv). A: n x n, B: n x k. n^3 / 3 + 2 n^2 k flops on one thread: for systems of some hundred
/// unknowns, where this is faster than cholesky(). On not_positive_definite the content of A and B is
/// undefined.
[[nodiscard]] Status solve_definite(View<double> A, View<double> B);

}  // namespace elmx
