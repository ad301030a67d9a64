#pragma once

#include <cmath>

#include "support/framed.hpp"
#include "support/problem.hpp"

// Symmetric positive definite matrices, stored in their upper triangles.

namespace elmx {

/// Returns V diag(s) V', s falling geometrically from 1 to 1/cond; the lower triangle has other numbers.
template <class T>
arma::Mat<T> definite(arma::uword n, double cond) {
  arma::vec s(n, arma::fill::ones);
  for (arma::uword i = 1; i < n; ++i) s(i) = std::pow(cond, -static_cast<double>(i) / static_cast<double>(n - 1));
  const arma::mat V = orthonormal_matrix(n, n, 5, 1);
  const arma::mat G = V * arma::diagmat(s) * V.t();
  return arma::conv_to<arma::Mat<T>>::from(arma::mat(arma::trimatu(G) + below_diagonal(normal_matrix(n, n, 5, 2))));
}

/// Returns a matrix that is positive definite by its diagonal: 2 I + E with ||E|| < 1.
template <class T>
arma::Mat<T> nearly_diagonal(arma::uword n) {
  arma::mat G = 0.01 * normal_matrix(n, n, 5, 4);
  G.diag().fill(2);
  return arma::conv_to<arma::Mat<T>>::from(G);
}

/// Returns the symmetric matrix with this upper triangle, in double.
template <class T>
arma::mat symmetric(const arma::Mat<T>& upper) {
  return arma::symmatu(arma::conv_to<arma::mat>::from(upper));
}

}  // namespace elmx
