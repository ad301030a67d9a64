#include "linalg/range_basis.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

extern "C" {
void dgeqp3_(const int* m, const int* n, double* A, const int* lda, int* jpvt, double* tau, double* work,
             const int* lwork, int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* A, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
}

namespace elmx {

uword RangeBasis::rank(double tolerance) const {
  const double least = diagonal.is_empty() ? 0 : tolerance * diagonal(0);
  uword k = 0;
  while (k < diagonal.n_elem && diagonal(k) > least) ++k;
  return k;
}

Status range_basis(View<const double> H, double tolerance, RangeBasis& basis) {
  arma::mat A = H.copy();
  if (!A.is_finite()) return Status::not_finite;
  const int m = static_cast<int>(H.rows), n = static_cast<int>(H.cols), least = std::min(m, n);
  arma::Col<int> pivot(H.cols, arma::fill::zeros);
  arma::vec tau(static_cast<uword>(least));
  int info = 0, lwork = -1;
  double size = 0;
  dgeqp3_(&m, &n, A.memptr(), &m, pivot.memptr(), tau.memptr(), &size, &lwork, &info);
  lwork = std::max(static_cast<int>(size), 32 * least);
  arma::vec work(static_cast<uword>(lwork));
  dgeqp3_(&m, &n, A.memptr(), &m, pivot.memptr(), tau.memptr(), work.memptr(), &lwork, &info);

  basis.diagonal = arma::abs(A.diag());
  const uword r = basis.rank(tolerance);
  basis.diagonal.resize(r);
  basis.Bt.zeros(H.cols, r);
  for (uword j = 0; j < H.cols; ++j) {
    const auto column = static_cast<uword>(pivot(j) - 1);
    for (uword k = 0; k < std::min(r, j + 1); ++k) basis.Bt(column, k) = A(k, j);
  }
  A.resize(H.rows, r);
  const int rank = static_cast<int>(r);
  dorgqr_(&m, &rank, &rank, A.memptr(), &m, tau.memptr(), work.memptr(), &lwork, &info);
  basis.Q = std::move(A);
  return Status::ok;
}

MinimumNormLift::MinimumNormLift(arma::mat Bt) { arma::qr_econ(Z_, R_, Bt); }

arma::mat MinimumNormLift::operator()(const arma::mat& V) const {
  expects(V.n_rows == R_.n_rows, "MinimumNormLift: V is r x c");
  arma::mat U = V, W(Z_.n_rows, V.n_cols);
  trsm(Op::transpose, R_, View<double>(U));
  gemm(Op::none, Op::none, 1.0, Z_, U, 0.0, View<double>(W));
  return W;
}

}  // namespace elmx
