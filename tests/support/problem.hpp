#pragma once

#include <algorithm>
#include <armadillo>
#include <cmath>
#include <cstdint>

#include "base/rng.hpp"

namespace elmx {

/// A least-squares problem H beta = T.  H: N x L, T: N x c.
template <class Real>
struct Problem {
  arma::Mat<Real> H;
  arma::Mat<Real> T;
};

/// Standard normal entries; `stream` keeps the matrices of one problem independent.
inline arma::mat normal_matrix(arma::uword rows, arma::uword cols, std::uint64_t seed, std::uint32_t stream = 0) {
  const Rng rng(seed, Purpose::synthetic, stream);
  arma::mat M(rows, cols);
  for (arma::uword i = 0; i < M.n_elem; ++i) M(i) = rng.normal(i);
  return M;
}

/// An orthonormal basis of a random k-dimensional subspace.  n x k, n >= k.
inline arma::mat orthonormal_matrix(arma::uword n, arma::uword k, std::uint64_t seed, std::uint32_t stream) {
  arma::mat Q;
  arma::mat R;
  arma::qr_econ(Q, R, normal_matrix(n, k, seed, stream));
  return Q;
}

/// Returns H = U diag(s) V' with s falling geometrically from 1 to 1/cond, and standard normal T.
template <class Real = double>
Problem<Real> make_problem(arma::uword N, arma::uword L, arma::uword c, double cond, std::uint64_t seed) {
  const arma::uword k = std::min(N, L);
  arma::vec s(k, arma::fill::ones);
  for (arma::uword i = 1; i < k; ++i) s(i) = std::pow(cond, -static_cast<double>(i) / static_cast<double>(k - 1));
  const arma::mat U = orthonormal_matrix(N, k, seed, 1);
  const arma::mat V = orthonormal_matrix(L, k, seed, 2);
  const arma::mat H = U * arma::diagmat(s) * V.t();
  return {arma::conv_to<arma::Mat<Real>>::from(H), arma::conv_to<arma::Mat<Real>>::from(normal_matrix(N, c, seed, 3))};
}

/// Returns n neighbouring Gaussian nodes at N points of [0, 1): each half of the nodes nearly spans the other
/// half, with large coefficients. N x n, ||H||_F^2 about 1.25.
inline arma::mat neighbouring_nodes(arma::uword N, arma::uword n) {
  const double width = 0.2, l = static_cast<double>(N), k = static_cast<double>(n);
  arma::mat H(N, n);
  for (arma::uword j = 0; j < n; ++j) {
    for (arma::uword i = 0; i < N; ++i) {
      const double z = (static_cast<double>(i) / l - static_cast<double>(j) / k) / width;
      H(i, j) = std::exp(-z * z) / std::sqrt(l * k * width);
    }
  }
  return H;
}

}  // namespace elmx
