#pragma once

#include "linalg/view.hpp"

namespace elmx {

// A symmetric matrix whose strict lower triangle is stored in an n x n array and whose diagonal is stored
// beside it. The upper triangle with its diagonal is free for a factor.

/// Computes B = A'.   A: m x n, B: n x m.
template <class T>
void transpose(View<const std::type_identity_t<T>> A, View<T> B);

/// Copies the strict lower triangle of S to the strict upper triangle.
template <class T>
void mirror_lower(View<T> S);

/// Computes Y = G X, G = L + L' + diag(d), L the strict lower triangle of S.   S: n x n, X, Y: n x m.   2 n^2
/// m flops.
template <class T>
void symmetric_times(View<const std::type_identity_t<T>> S, const T* d, View<const std::type_identity_t<T>> X,
                     View<T> Y);

}  // namespace elmx
