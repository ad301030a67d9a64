#include "linalg/minimum_norm.hpp"

#include <algorithm>
#include <limits>

extern "C" {
void dgelsd_(const int* m, const int* n, const int* nrhs, double* A, const int* lda, double* B, const int* ldb,
             double* S, const double* rcond, int* rank, double* work, const int* lwork, int* iwork, int* info);
}

namespace elmx {

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
  dgelsd_(&m, &n, &c, A.memptr(), &m, B.memptr(), &longer, S.memptr(), &rcond, &rank, &size, &lwork, &liwork, &info);
  lwork = static_cast<int>(size);
  arma::vec work(static_cast<uword>(lwork));
  arma::Col<int> iwork(static_cast<uword>(std::max(1, liwork)));
  dgelsd_(&m, &n, &c, A.memptr(), &m, B.memptr(), &longer, S.memptr(), &rcond, &rank, work.memptr(), &lwork,
          iwork.memptr(), &info);
  B.resize(H.cols, T.cols);
  if (info != 0 || !B.is_finite()) return Status::not_finite;
  W = std::move(B);
  return Status::ok;
}

}  // namespace elmx
