#pragma once

#include "linalg/view.hpp"

namespace elmx {

// A symmetric matrix of which the strict lower triangle stands in an n x n array and the diagonal beside it,
// so that the upper triangle with its diagonal is free for a factor.

/// B = A'.   A: m x n, B: n x m.
template <class T>
void transpose(View<const std::type_identity_t<T>> A, View<T> B);

/// The strict lower triangle of S copied to the strict upper one.
template <class T>
void mirror_lower(View<T> S);

/// Y = G X, G = L + L' + diag(d), L the strict lower triangle of S.   S: n x n, X, Y: n x m.   2 n^2 m flops.
template <class T>
void symmetric_times(View<const std::type_identity_t<T>> S, const T* d, View<const std::type_identity_t<T>> X,
                     View<T> Y);

}  // namespace elmx
