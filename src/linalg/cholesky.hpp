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

// Estimates of condition numbers from triangular factors in O(n^2). They have the same bits in every thread.

/// Estimates the 1-norm condition number of G = R'R from its factor, given ||G||_1 (LAPACK pocon).
template <class T>
double condition_estimate(View<const T> R, double norm_of_G);

/// Estimates 1 / (||R||_1 ||R^-1||_1).   R: n x n upper triangular (LAPACK trcon).
double reciprocal_condition(View<const double> R);

/// Returns ||G||_1 of a symmetric matrix whose upper triangle is stored.
template <class T>
double symmetric_norm1(View<const T> G);

}  // namespace elmx
