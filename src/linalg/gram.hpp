#pragma once

#include <type_traits>

#include "linalg/view.hpp"

namespace elmx {

/// Computes the upper triangle of G = H'H + beta G, accumulated in A, which may be wider than T (H single, G
/// double). H: N x L, G: L x L. N L^2 flops. If the types differ, blocks of samples are widened one after
/// another: 4096 x L numbers of extra memory.
template <class A, class T>
void gram(View<const T> H, A beta, View<A> G);

/// Computes the upper triangle of G = H'H + lambda I.
template <class A, class T>
void ridge_gram(View<const T> H, double lambda, View<A> G);

/// Computes C = H'T + beta C, accumulated in A.   H: N x L, T: N x c in the type of H or of A, C: L x c.   2
/// N L c flops.
template <class A, class T, class Y>
void cross_product(View<const T> H, View<const Y> targets, View<A> C, std::type_identity_t<A> beta = 0);

/// Returns the dot product of each column of A with the same column of B, 1 x c.
inline arma::rowvec column_dots(const arma::mat& A, const arma::mat& B) { return arma::sum(A % B, 0); }

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
