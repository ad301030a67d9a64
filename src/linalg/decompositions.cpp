#include "linalg/decompositions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.hpp"

namespace elmx {

Status symmetric_eigen(arma::mat& A, arma::vec& theta) {
  expects(A.n_rows == A.n_cols && A.n_rows > 0, "symmetric_eigen: A is n x n");
  if (!A.is_finite()) return Status::not_finite;
  const int n = static_cast<int>(A.n_rows);
  theta.set_size(A.n_rows);
  double size = 0;
  int isize = 0, info = 0, lwork = -1, liwork = -1;
  arma::dsyevd_("V", "U", &n, A.memptr(), &n, theta.memptr(), &size, &lwork, &isize, &liwork, &info, 1, 1);
  lwork = static_cast<int>(size);
  liwork = isize;
  arma::vec work(static_cast<uword>(lwork));
  arma::Col<int> iwork(static_cast<uword>(liwork));
  arma::dsyevd_("V", "U", &n, A.memptr(), &n, theta.memptr(), work.memptr(), &lwork, iwork.memptr(), &liwork, &info, 1,
                1);
  return info == 0 ? Status::ok : Status::not_finite;
}

Status minimum_norm(View<const double> H, View<const double> T, arma::mat& W, double tolerance) {
  expects(H.rows == T.rows && H.rows > 0 && H.cols > 0, "minimum_norm: H is N x L, T is N x c");
  const int m = static_cast<int>(H.rows), n = static_cast<int>(H.cols), c = static_cast<int>(T.cols),
            longer = std::max(m, n);
  arma::mat A = H.copy(), B = T.copy();
  if (!A.is_finite() || !B.is_finite()) return Status::not_finite;  // LAPACK would complain on stderr
  B.resize(static_cast<uword>(longer), T.cols);
  arma::vec S(static_cast<uword>(std::min(m, n)));
  const double rcond = tolerance > 0 ? tolerance : longer * std::numeric_limits<double>::epsilon();
  int rank = 0, info = 0, lwork = -1, liwork = 0;
  double size = 0;
  arma::dgelsd_(&m, &n, &c, A.memptr(), &m, B.memptr(), &longer, S.memptr(), &rcond, &rank, &size, &lwork, &liwork,
                &info);
  lwork = static_cast<int>(size);
  arma::vec work(static_cast<uword>(lwork));
  arma::Col<int> iwork(static_cast<uword>(std::max(1, liwork)));
  arma::dgelsd_(&m, &n, &c, A.memptr(), &m, B.memptr(), &longer, S.memptr(), &rcond, &rank, work.memptr(), &lwork,
                iwork.memptr(), &info);
  B.resize(H.cols, T.cols);
  if (info != 0 || !B.is_finite()) return Status::not_finite;
  W = std::move(B);
  return Status::ok;
}

arma::vec orthogonal_direction(const arma::mat& Q, arma::vec h) {
  constexpr double kDependent = 1e-10;
  const double length = arma::norm(h);
  for (int pass = 0; pass < 2; ++pass) h -= Q * (Q.t() * h);
  const double left = arma::norm(h);
  return left > kDependent * length ? arma::vec(h / left) : arma::vec();
}

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
  arma::dgeqp3_(&m, &n, A.memptr(), &m, pivot.memptr(), tau.memptr(), &size, &lwork, &info);
  lwork = std::max(static_cast<int>(size), 32 * least);
  arma::vec work(static_cast<uword>(lwork));
  arma::dgeqp3_(&m, &n, A.memptr(), &m, pivot.memptr(), tau.memptr(), work.memptr(), &lwork, &info);

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
  arma::dorgqr_(&m, &rank, &rank, A.memptr(), &m, tau.memptr(), work.memptr(), &lwork, &info);
  basis.Q = std::move(A);
  return Status::ok;
}

MinimumNormLift::MinimumNormLift(arma::mat Bt) { arma::qr_econ(Z_, R_, Bt); }

arma::mat MinimumNormLift::operator()(const arma::mat& V) const {
  expects(V.n_rows == R_.n_rows, "MinimumNormLift: V is r x c");
  arma::mat U = V;
  trsm(Op::transpose, R_, View<double>(U));
  return gemm(Op::none, Op::none, 1.0, Z_, U);
}

}  // namespace elmx
