#include "solvers/sparse/selm.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/condition.hpp"
#include "linalg/minimum_norm.hpp"
#include "solvers/sparse/s3elm.hpp"

// Fortran takes the length of each string after all other arguments.
extern "C" {
void dgeqrf_(const int* m, const int* n, double* A, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dtpqrt_(const int* m, const int* n, const int* l, const int* nb, double* A, const int* lda, double* B,
             const int* ldb, double* T, const int* ldt, double* work, int* info);
void dtpmqrt_(const char* side, const char* trans, const int* m, const int* n, const int* k, const int* l,
              const int* nb, const double* V, const int* ldv, const double* T, const int* ldt, double* A,
              const int* lda, double* B, const int* ldb, double* work, int* info, std::size_t, std::size_t);
}

namespace elmx {
namespace {

/// Returns the triangle of the QR decomposition of A: n x n, with zero rows if A has fewer than n rows.
arma::mat triangle_of(arma::mat A) {
  // LAPACK would complain on stderr
  if (A.n_rows == 0) return arma::mat(A.n_cols, A.n_cols, arma::fill::zeros);
  const int m = static_cast<int>(A.n_rows), n = static_cast<int>(A.n_cols), lwork = 64 * n;
  arma::vec tau(static_cast<uword>(std::min(m, n))), work(static_cast<uword>(lwork));
  int info = 0;
  dgeqrf_(&m, &n, A.memptr(), &m, tau.memptr(), work.memptr(), &lwork, &info);
  const uword rows = std::min(A.n_rows, A.n_cols);
  arma::mat R(A.n_cols, A.n_cols, arma::fill::zeros);
  for (uword j = 0; j < A.n_cols; ++j) std::copy_n(A.colptr(j), std::min(j + 1, rows), R.colptr(j));
  return R;
}

/// Replaces R (n x n upper triangular) by the triangle in the QR of [R; B], with [c; d] = Q'[0; T]. Returns
/// c.
arma::mat append_rows(arma::mat& R, arma::mat B, arma::mat T) {
  const int m = static_cast<int>(B.n_rows), n = static_cast<int>(R.n_cols), k = static_cast<int>(T.n_cols), zero = 0;
  const int nb = std::min(32, n);
  arma::mat reflectors(static_cast<uword>(nb), R.n_cols), c(R.n_rows, T.n_cols, arma::fill::zeros);
  arma::vec work(static_cast<uword>(nb * std::max(n, k)));
  int info = 0;
  dtpqrt_(&m, &n, &zero, &nb, R.memptr(), &n, B.memptr(), &m, reflectors.memptr(), &nb, work.memptr(), &info);
  dtpmqrt_("L", "T", &m, &k, &n, &zero, &nb, B.memptr(), &m, reflectors.memptr(), &nb, c.memptr(), &n, T.memptr(), &m,
           work.memptr(), &info, 1, 1);
  return c;
}

arma::mat without(const arma::mat& A, const arma::uvec& rows) {
  arma::mat rest = A;
  rest.shed_rows(rows);
  return rest;
}

}  // namespace

ApproximateSelm::ApproximateSelm(const RangeBasis& basis, const MinimumNormLift& lift, const arma::mat& LQ,
                                 const arma::uvec& labelled, const arma::mat& labels)
    : basis_(basis),
      lift_(lift),
      Ru_(triangle_of(without(LQ, labelled))),
      LQl_(LQ.rows(labelled)),
      Ql_(basis.Q.rows(labelled)),
      labels_(labels),
      tolerance_(basis.pseudo_inverse_tolerance()) {
  expects(LQ.n_rows == basis.Q.n_rows && LQ.n_cols == basis.rank() && labels.n_rows == labelled.n_elem,
          "ApproximateSelm: LQ is N x r, labels n x C");
}

Status ApproximateSelm::solve(double lambda, arma::mat& W) const {
  arma::mat R = lambda * Ru_;
  arma::mat V = append_rows(R, lambda * LQl_ + Ql_, labels_);
  if (reciprocal_condition(R) <= tolerance_) {
    arma::mat RB(R.n_rows, basis_.Bt.n_rows);
    gemm(Op::none, Op::transpose, 1.0, R, basis_.Bt, 0.0, View<double>(RB));
    return minimum_norm(RB, V, W, tolerance_);
  }
  trsm(Op::none, R, View<double>(V));
  W = lift_(V);
  return W.is_finite() ? Status::ok : Status::not_finite;
}

Status exact_selm(const RangeBasis& basis, const arma::mat& QtLQ, const arma::mat& Ql, const arma::mat& labels,
                  double lambda, arma::mat& W) {
  ConstrainedSystem system;
  const Status status = constrained_system(QtLQ, Ql, labels, lambda, 1, system);
  if (status != Status::ok) return status;
  arma::mat SB(system.S.n_rows, basis.Bt.n_rows);
  gemm(Op::none, Op::transpose, 1.0, system.S, basis.Bt, 0.0, View<double>(SB));
  return minimum_norm(SB, system.Z, W, basis.pseudo_inverse_tolerance());
}

}  // namespace elmx
