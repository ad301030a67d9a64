#include "solvers/joint_sparse.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {
namespace {

arma::vec row_norms(const arma::mat& W) { return arma::sqrt(arma::sum(arma::square(W), 1)); }

}  // namespace

JointSparse::JointSparse(arma::mat Bt, arma::mat W, double lambda, WeightSolver solver)
    : Bt_(std::move(Bt)), W_(std::move(W)), lambda_(lambda), solver_(solver), active_(arma::regspace<arma::uvec>(0, 1, Bt_.n_rows - 1)) {
  expects(Bt_.n_rows == W_.n_rows && lambda > 0, "JointSparse: B' is L x r, W is L x c, lambda > 0");
}

bool JointSparse::takes_gram() const {
  if (solver_ != WeightSolver::automatic) return solver_ == WeightSolver::gram;
  const auto s = static_cast<double>(Bt_.n_rows), r = static_cast<double>(Bt_.n_cols);
  return s * s * s / 3 < r * r * s + r * r * r / 3;
}

Status JointSparse::step(const arma::mat& Z) {
  const uword s = Bt_.n_rows, r = Bt_.n_cols;
  const arma::vec d = 2 * row_norms(W_);
  arma::mat next(s, Z.n_cols);
  if (takes_gram()) {
    if (G_.n_rows != s) {
      const arma::mat B = Bt_.t();
      G_.set_size(s, s);
      syrk(1.0, B, 0.0, View<double>(G_));
    }
    const arma::vec root = arma::sqrt(d);
    arma::mat A(s, s);
    for (uword j = 0; j < s; ++j) {
      for (uword i = 0; i <= j; ++i) A(i, j) = root(i) * G_(i, j) * root(j);
      A(j, j) += lambda_;
    }
    const Status status = cholesky(View<double>(A));
    if (status != Status::ok) return status;
    gemm(Op::none, Op::none, 1.0, Bt_, Z, 0.0, View<double>(next));
    next.each_col() %= root;
    cholesky_solve(A, View<double>(next));
    next.each_col() %= root;
  } else {
    arma::mat A(r, r);
    syrk(1.0, Bt_, d.memptr(), 0.0, View<double>(A));
    A.diag() += lambda_;
    const Status status = cholesky(View<double>(A));
    if (status != Status::ok) return status;
    arma::mat S = Z;
    cholesky_solve(A, View<double>(S));
    gemm(Op::none, Op::none, 1.0, Bt_, S, 0.0, View<double>(next));
    next.each_col() %= d;
  }
  if (!next.is_finite()) return Status::not_finite;
  change_ = arma::accu(arma::square(next - W_));
  W_ = std::move(next);
  return Status::ok;
}

void JointSparse::prune(double threshold) {
  const arma::uvec rows = arma::find(row_norms(W_) >= threshold);
  if (rows.n_elem < W_.n_rows) keep(rows);
}

void JointSparse::keep_largest(uword nodes) {
  if (nodes >= W_.n_rows) return;
  const arma::uvec order = arma::stable_sort_index(row_norms(W_), "descend");
  keep(arma::sort(order.head(nodes)));
}

void JointSparse::keep(const arma::uvec& rows) {
  if (!G_.is_empty()) G_ = arma::mat(G_.submat(rows, rows));
  Bt_ = arma::mat(Bt_.rows(rows));
  W_ = arma::mat(W_.rows(rows));
  active_ = arma::uvec(active_.elem(rows));
}

arma::mat JointSparse::V() const {
  arma::mat V(Bt_.n_cols, W_.n_cols);
  gemm(Op::transpose, Op::none, 1.0, Bt_, W_, 0.0, View<double>(V));
  return V;
}

double JointSparse::norm21() const { return arma::accu(row_norms(W_)); }

}  // namespace elmx
