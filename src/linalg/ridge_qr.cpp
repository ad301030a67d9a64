#include "linalg/ridge_qr.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

// Fortran takes the length of each string after all other arguments.
extern "C" {
void dtpqrt_(const int* m, const int* n, const int* l, const int* nb, double* A, const int* lda, double* B,
             const int* ldb, double* T, const int* ldt, double* work, int* info);
void dtpmqrt_(const char* side, const char* trans, const int* m, const int* n, const int* k, const int* l,
              const int* nb, const double* V, const int* ldv, const double* T, const int* ldt, double* A,
              const int* lda, double* B, const int* ldb, double* work, int* info, std::size_t, std::size_t);
}

namespace elmx {

RidgeQr::RidgeQr(uword nodes, uword outputs, double lambda)
    : R_(std::sqrt(lambda) * arma::eye(nodes, nodes)), Z_(nodes, outputs, arma::fill::zeros) {}

void append_rows(arma::mat& R, arma::mat& Z, arma::mat V, arma::mat T, int block) {
  const int k = static_cast<int>(V.n_rows), L = static_cast<int>(R.n_cols), c = static_cast<int>(T.n_cols),
            nb = std::min(block, L), pentagon = 0;
  arma::mat reflectors(static_cast<uword>(nb), R.n_cols), work(static_cast<uword>(nb), std::max(R.n_cols, T.n_cols));
  int info = 0;
  dtpqrt_(&k, &L, &pentagon, &nb, R.memptr(), &L, V.memptr(), &k, reflectors.memptr(), &nb, work.memptr(), &info);
  dtpmqrt_("L", "T", &k, &c, &L, &pentagon, &nb, V.memptr(), &k, reflectors.memptr(), &nb, Z.memptr(), &L, T.memptr(),
           &k, work.memptr(), &info, 1, 1);
}

template <class T, class Y>
void RidgeQr::add_samples(View<const T> H, View<const Y> targets) {
  expects(H.cols == R_.n_cols && targets.cols == Z_.n_cols && H.rows == targets.rows,
          "RidgeQr: H is k x L, T is k x c");
  if (R_.n_cols == 0) return;
  const uword chunk = std::max<uword>(512, R_.n_cols);
  for (uword first = 0; first < H.rows; first += chunk) {
    const uword count = std::min(chunk, H.rows - first);
    append_rows(R_, Z_, arma::conv_to<arma::mat>::from(H.block(first, 0, count, H.cols).copy()),
                arma::conv_to<arma::mat>::from(targets.block(first, 0, count, targets.cols).copy()), 64);
  }
}

Status RidgeQr::solve(arma::mat& W) const {
  const arma::vec diagonal = arma::abs(R_.diag());
  if (!diagonal.is_finite()) return Status::not_finite;
  // If the exact R has a zero, rounding leaves about eps ||R||.
  const double rounding = static_cast<double>(R_.n_cols) * arma::datum::eps;
  if (arma::any(diagonal <= rounding * arma::norm(diagonal))) return Status::not_positive_definite;
  W = Z_;
  trsm(Op::none, R_, View<double>(W));
  return W.is_finite() ? Status::ok : Status::not_finite;
}

arma::mat RidgeQr::inverse_factor() const {
  arma::mat F = arma::eye(R_.n_rows, R_.n_rows);
  trsm(Op::none, R_, View<double>(F));
  return arma::trimatu(F);
}

double RidgeQr::condition() const {
  const arma::mat G = arma::trimatu(R_).t() * arma::trimatu(R_);
  return condition_estimate(View<const double>(R_), arma::norm(G, 1));
}

template void RidgeQr::add_samples(View<const double>, View<const double>);
template void RidgeQr::add_samples(View<const float>, View<const float>);
template void RidgeQr::add_samples(View<const float>, View<const double>);

}  // namespace elmx
