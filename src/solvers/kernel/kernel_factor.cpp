#include "solvers/kernel/kernel_factor.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {
namespace {

constexpr uword kColumns = 512;
constexpr double kUnitRounding = 0x1p-24;
constexpr double kMostShift = 0x1p14;  // in units of kUnitRounding, about 1e-3

/// Returns diag(S K S).
arma::vec diagonal_of(const KernelMatrix<double>& K, const arma::vec& scale) {
  arma::vec diagonal(K.size());
  for (uword i = 0; i < K.size(); ++i) {
    arma::mat entry(1, 1);
    kernel_entries(K.kernel(), K.points(), i, K.points(), i, View<double>(entry));
    diagonal(i) = entry(0, 0) * (scale.is_empty() ? 1 : scale(i) * scale(i));
  }
  return diagonal;
}

}  // namespace

Status DenseKernelFactor::factorise(const KernelMatrix<double>& K, double lambda) {
  R_.set_size(K.size(), K.size());
  K.form(View<double>(R_));
  trace_ = arma::trace(R_);
  R_.diag() += lambda;
  return cholesky(View<double>(R_));
}

void DenseKernelFactor::solve(View<double> X) const { cholesky_solve(R_, X); }

arma::vec DenseKernelFactor::inverse_diagonal(uword first) const {
  const uword n = R_.n_rows;
  arma::vec diagonal(n - first);
  for (uword at = first; at < n; at += kColumns) {
    const uword b = std::min(kColumns, n - at), m = n - at;
    // (R'R)^-1_ii = ||R^-T e_i||^2, and R^-T e_i begins with row i.
    arma::mat X(m, b, arma::fill::zeros);
    X.diag().ones();
    trsm(Op::transpose, View<const double>(R_).block(at, at, m, m), View<double>(X));
    diagonal.subvec(at - first, at - first + b - 1) = arma::sum(arma::square(X), 0).t();
  }
  return diagonal;
}

Status PanelKernelFactor::factorise(const KernelMatrix<double>& K, const arma::vec& scale, double lambda,
                                    bool may_shift) {
  const arma::vec diagonal = diagonal_of(K, scale);
  trace_ = arma::accu(diagonal);
  unit_ = arma::sqrt(diagonal + lambda);
  KernelPoints<float> points{arma::conv_to<arma::fmat>::from(K.points().X),
                             arma::conv_to<arma::frowvec>::from(K.points().norms)};
  const arma::vec row_scale = scale.is_empty() ? arma::vec(1 / unit_) : arma::vec(scale / unit_);
  const KernelMatrix<float> scaled(K.kernel(), std::move(points), row_scale);
  for (double shift = 0; shift <= (may_shift ? kMostShift : 0); shift = shift == 0 ? 1 : 4 * shift) {
    R_.clear();
    R_.append(K.size());
    scaled.form(R_);
    for (std::size_t p = 0; p < R_.count(); ++p) {
      const View<float> panel = R_.panel(p);
      for (uword j = 0; j < panel.cols; ++j) panel(R_.begin(p) + j, j) = static_cast<float>(1 + shift * kUnitRounding);
    }
    if (R_.cholesky(0) == Status::ok) return Status::ok;
  }
  return Status::not_positive_definite;
}

void PanelKernelFactor::solve(View<double> X) const {
  const arma::vec inverse = 1 / unit_;
  scale_rows(inverse.memptr(), X);
  R_.solve(X);
  scale_rows(inverse.memptr(), X);
}

arma::vec PanelKernelFactor::inverse_diagonal(uword first) const {
  return R_.inverse_diagonal(first) / arma::square(unit_.tail(unit_.n_elem - first));
}

}  // namespace elmx
