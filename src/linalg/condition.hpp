#pragma once

#include "linalg/view.hpp"

namespace elmx {

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
