#pragma once

#include <armadillo>
#include <cmath>
#include <vector>

namespace elmx {

/// Returns (H'H + lambda I)^-1 H'T by Householder QR of [H; sqrt(lambda) I] in long double, the reference for
/// float and double solutions. H: N x L, T: N x c. Cost: 2 N L^2 long operations.
inline arma::mat solve_extended(const arma::mat& H, const arma::mat& T, double lambda) {
  using Wide = long double;
  const arma::uword N = H.n_rows + H.n_cols, L = H.n_cols, c = T.n_cols;
  std::vector<std::vector<Wide>> columns(L + c, std::vector<Wide>(N, 0));  // [H; sqrt(lambda) I], [T; 0]
  for (arma::uword j = 0; j < L; ++j) {
    for (arma::uword i = 0; i < H.n_rows; ++i) columns[j][i] = H(i, j);
    columns[j][H.n_rows + j] = std::sqrt(static_cast<Wide>(lambda));
  }
  for (arma::uword j = 0; j < c; ++j) {
    for (arma::uword i = 0; i < H.n_rows; ++i) columns[L + j][i] = T(i, j);
  }
  for (arma::uword k = 0; k < L; ++k) {
    std::vector<Wide>& v = columns[k];
    Wide squares = 0;
    for (arma::uword i = k; i < N; ++i) squares += v[i] * v[i];
    const Wide r = v[k] > 0 ? -std::sqrt(squares) : std::sqrt(squares);
    const Wide head = v[k] - r, scale = -r * head;  // v'v / 2
    for (arma::uword j = k + 1; j < L + c; ++j) {
      std::vector<Wide>& x = columns[j];
      Wide along = head * x[k];
      for (arma::uword i = k + 1; i < N; ++i) along += v[i] * x[i];
      along /= scale;
      x[k] -= along * head;
      for (arma::uword i = k + 1; i < N; ++i) x[i] -= along * v[i];
    }
    v[k] = r;
  }
  arma::mat W(L, c);
  for (arma::uword j = 0; j < c; ++j) {
    std::vector<Wide>& x = columns[L + j];
    for (arma::uword k = L; k-- > 0;) {
      for (arma::uword i = k + 1; i < L; ++i) x[k] -= columns[i][k] * x[i];
      x[k] /= columns[k][k];
      W(k, j) = static_cast<double>(x[k]);
    }
  }
  return W;
}

}  // namespace elmx
