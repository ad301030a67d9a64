#include "linalg/factor_updates.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {
namespace {

constexpr uword kRotated = 128;  // columns of a factor that are rotated together ...
constexpr uword kChunk = 128;    // ... with this number of samples

/// A rotation of a tile of n rows with a chunk of b samples, by the matrix E: b x n. With J = diag(I, s I),
///
///     Theta = [      M^-T   s M^-T E' ]      Theta' J Theta = J,   M'M = I + s E'E,   N'N = I + s E E'
///             [ -N^-T E      N^-T     ]
///
/// Theta [I; E] = [M; 0]. It is orthogonal for s = +1 and hyperbolic for s = -1.
class BlockRotation {
 public:
  /// Et = E': n x b.
  [[nodiscard]] Status set(const arma::mat& Et, double s) {
    M_.eye(Et.n_rows, Et.n_rows);
    N_.eye(Et.n_cols, Et.n_cols);
    gemm(Op::none, Op::transpose, s, Et, Et, 1.0, View<double>(M_));
    gemm(Op::transpose, Op::none, s, Et, Et, 1.0, View<double>(N_));
    if (const Status status = cholesky(View<double>(M_)); status != Status::ok) return status;
    if (const Status status = cholesky(View<double>(N_)); status != Status::ok) return status;
    inverse_M_ = inverse(M_);
    inverse_N_ = inverse(N_);
    return Status::ok;
  }

  /// Computes B = M^-T B.
  void solve_tile(View<double> B) const { trmm(Op::transpose, inverse_M_, B); }
  /// Computes B = M B for an upper triangular B.
  void times_tile(View<double> B) const { trmm(Op::none, M_, B); }
  /// Computes B = B M^-1.
  void solve_tile_right(View<double> B) const { trmm_right(Op::none, inverse_M_, B); }
  /// Computes B = B N^-1: rows of samples, transposed.
  void solve_samples(View<double> B) const { trmm_right(Op::none, inverse_N_, B); }

 private:
  static arma::mat inverse(const arma::mat& U) {
    arma::mat X(U.n_rows, U.n_rows, arma::fill::eye);
    trsm(Op::none, U, View<double>(X));
    return X;
  }

  arma::mat M_, N_, inverse_M_, inverse_N_;  // upper triangular
};

/// Applies Theta to the rows B of a factor (n x m) and the same columns of the samples, Xt: m x b.
void rotate(const BlockRotation& theta, const arma::mat& Et, double s, View<double> B, View<double> Xt) {
  if (Xt.rows == 0) return;
  const arma::mat before = Xt.copy();
  gemm(Op::transpose, Op::none, -1.0, B, Et, 1.0, Xt);  // X - E B, transposed
  theta.solve_samples(Xt);
  gemm(Op::none, Op::transpose, s, Et, before, 1.0, B);  // B + s E'X
  theta.solve_tile(B);
}

}  // namespace

Status update_cholesky(View<double> R, View<double> Z, View<double> Xt, View<double> Yt, Change change) {
  const double s = sign_of(change);
  const uword k = R.rows, c = Z.cols;
  BlockRotation theta;
  for (uword sample = 0; sample < Xt.cols; sample += kChunk) {
    const uword b = std::min(kChunk, Xt.cols - sample);
    for (uword j = 0; j < k; j += kRotated) {
      const uword n = std::min(kRotated, k - j), rest = k - j - n;
      const View<double> R_jj = R.block(j, j, n, n);
      arma::mat Et = Xt.block(j, sample, n, b).copy();
      trsm(Op::transpose, R_jj, View<double>(Et));  // E = X_j R_jj^-1
      if (const Status status = theta.set(Et, s); status != Status::ok) return status;
      rotate(theta, Et, s, R.block(j, j + n, n, rest), Xt.block(j + n, sample, rest, b));
      rotate(theta, Et, s, Z.block(j, 0, n, c), Yt.block(0, sample, c, b));
      theta.times_tile(R_jj);
    }
  }
  return Status::ok;
}

Status update_inverse_cholesky(View<double> F, View<const double> Xt, Change change) {
  const double s = sign_of(change);
  const uword k = F.rows;
  BlockRotation theta;
  for (uword sample = 0; sample < Xt.cols; sample += kChunk) {
    const uword b = std::min(kChunk, Xt.cols - sample);
    arma::mat Vt = Xt.block(0, sample, k, b).copy();
    trmm(Op::transpose, F, View<double>(Vt));  // V = X F
    // Theta^-T = J Theta J rotates [F'; U], where U = 0 at first.
    arma::mat Ut(k, b, arma::fill::zeros);
    for (uword j = 0; j < k; j += kRotated) {
      const uword n = std::min(kRotated, k - j), end = j + n;
      const arma::mat Et = Vt.rows(j, end - 1);
      if (const Status status = theta.set(Et, s); status != Status::ok) return status;
      const View<double> F_j = F.block(0, j, end, n), U = View<double>(Ut).block(0, 0, end, b);
      const arma::mat before = U.copy();
      gemm(Op::none, Op::none, -s, F_j, Et, 1.0, U);  // U - s E F_j', transposed
      theta.solve_samples(U);
      gemm(Op::none, Op::transpose, 1.0, before, Et, 1.0, F_j);  // F_j' + E'U, transposed
      theta.solve_tile_right(F_j);
      if (end < k) theta.solve_samples(View<double>(Vt).block(end, 0, k - end, b));
    }
  }
  return Status::ok;
}

namespace {

/// A rotation of two neighbours: [a; b] <- [cos a + sin b; cos b - sin a].
struct Givens {
  uword first;
  double cosine, sine;

  /// Returns the rotation that makes the second of two values zero.
  static Givens zeroing(uword first, double a, double b) {
    const double length = std::hypot(a, b);
    return length == 0 ? Givens{first, 1, 0} : Givens{first, a / length, b / length};
  }
  void apply(double& a, double& b) const {
    const double old = a;
    a = cosine * old + sine * b;
    b = cosine * b - sine * old;
  }
};

}  // namespace

void remove_from_cholesky(arma::mat& R, arma::mat& Z, const arma::uvec& removed) {
  arma::uvec kept = arma::regspace<arma::uvec>(0, 1, R.n_cols - 1);
  kept.shed_rows(removed);
  std::vector<Givens> rotations;
  const auto rotate = [&](double* column) {
    for (const Givens& one : rotations) one.apply(column[one.first], column[one.first + 1]);
  };
  for (uword t = 0; t < kept.n_elem; ++t) {
    double* column = R.colptr(kept(t));
    rotate(column);
    // Column t has elements up to row kept(t), which are rotated into row t from below.
    for (uword i = kept(t); i > t; --i) {
      rotations.push_back(Givens::zeroing(i - 1, column[i - 1], column[i]));
      rotations.back().apply(column[i - 1], column[i]);
      column[i] = 0;
    }
    if (kept(t) != t) std::copy_n(column, R.n_rows, R.colptr(t));
  }
  for (uword j = 0; j < Z.n_cols; ++j) rotate(Z.colptr(j));
  R.resize(kept.n_elem, kept.n_elem);
  Z.resize(kept.n_elem, Z.n_cols);
}

void remove_from_inverse_cholesky(arma::mat& F, const arma::uvec& removed) {
  uword k = F.n_rows;
  // The removed row is rotated into its last column. The rows below move one column to the left.
  for (uword which = removed.n_elem; which-- > 0; --k) {
    const uword row = removed(which);
    for (uword j = row; j + 1 < k; ++j) {
      const Givens rotation = Givens::zeroing(j, F(row, j + 1), -F(row, j));
      double *left = F.colptr(j), *right = F.colptr(j + 1);
      for (uword i = 0; i <= j + 1; ++i) rotation.apply(left[i], right[i]);
    }
    for (uword j = row; j + 1 < k; ++j) {
      double* column = F.colptr(j);
      std::copy(column + row + 1, column + j + 2, column + row);
      column[j + 1] = 0;
    }
  }
  F.resize(k, k);
}

}  // namespace elmx
