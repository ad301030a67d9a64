#include "solvers/sparse/joint_sparse.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"

namespace elmx {
namespace {

arma::vec row_norms(const arma::mat& W) { return arma::sqrt(arma::sum(arma::square(W), 1)); }

}  // namespace

JointSparse::JointSparse(arma::mat Bt, arma::mat W, double lambda, WeightSolver solver, const arma::mat* gram)
    : Bt_(std::move(Bt)),
      W_(std::move(W)),
      lambda_(lambda),
      solver_(solver),
      active_(arma::regspace<arma::uvec>(0, 1, Bt_.n_rows - 1)),
      gram_(gram),
      places_(active_) {
  expects(Bt_.n_rows == W_.n_rows && lambda > 0, "JointSparse: B' is L x r, W is L x c, lambda > 0");
  expects(gram == nullptr || gram->n_rows == Bt_.n_rows, "JointSparse: B'B is L x L");
}

bool JointSparse::takes_gram() const {
  if (solver_ != WeightSolver::automatic) return solver_ == WeightSolver::gram;
  const auto s = static_cast<double>(Bt_.n_rows), r = static_cast<double>(Bt_.n_cols);
  return s * s * s / 3 < r * r * s + r * r * r / 3;
}

Status JointSparse::step(const arma::mat& Z) {
  const arma::vec d = 2 * row_norms(W_);
  arma::mat next;
  const Status status = takes_gram() ? step_by_gram(Z, d, next) : step_by_dual(Z, d, next);
  if (status != Status::ok) return status;
  if (!next.is_finite()) return Status::not_finite;
  change_ = arma::accu(arma::square(next - W_));
  W_ = std::move(next);
  return Status::ok;
}

Status JointSparse::step_by_gram(const arma::mat& Z, const arma::vec& d, arma::mat& next) {
  const uword s = Bt_.n_rows;
  if (gram_ == nullptr) {
    own_gram_.set_size(s, s);
    const arma::mat B = Bt_.t();
    syrk(1.0, B, 0.0, View<double>(own_gram_));
    own_gram_ = arma::symmatu(own_gram_);
    gram_ = &own_gram_;
    places_ = arma::regspace<arma::uvec>(0, 1, s - 1);
  }
  const arma::vec root = arma::sqrt(d);
  arma::mat A(s, s, arma::fill::none);
  for (uword j = 0; j < s; ++j) {
    const double* column = gram_->colptr(places_(j));
    for (uword i = j; i < s; ++i) A(i, j) = root(i) * column[places_(i)] * root(j);
    A(j, j) += lambda_;
  }
  next = gemm(Op::none, Op::none, 1.0, Bt_, Z);
  next.each_col() %= root;
  const Status status = solve_definite(A, next);
  if (status == Status::ok) next.each_col() %= root;
  return status;
}

Status JointSparse::step_by_dual(const arma::mat& Z, const arma::vec& d, arma::mat& next) const {
  const uword r = Bt_.n_cols;
  arma::mat A(r, r, arma::fill::none), S = Z;
  syrk(1.0, Bt_, d.memptr(), 0.0, View<double>(A));
  A = arma::symmatu(A);
  A.diag() += lambda_;
  const Status status = solve_definite(A, S);
  if (status != Status::ok) return status;
  next = gemm(Op::none, Op::none, 1.0, Bt_, S);
  next.each_col() %= d;
  return status;
}

arma::mat JointSparse::prune(double threshold) {
  const arma::vec norms = row_norms(W_);
  const arma::uvec pruned = arma::find(norms < threshold);
  if (pruned.is_empty()) return arma::mat(Bt_.n_cols, W_.n_cols, arma::fill::zeros);
  const arma::mat lost = gemm(Op::transpose, Op::none, 1.0, arma::mat(Bt_.rows(pruned)), arma::mat(W_.rows(pruned)));
  keep(arma::find(norms >= threshold));
  return lost;
}

Status JointSparse::keep_largest(uword nodes, const arma::mat& Z) {
  if (nodes >= W_.n_rows) return Status::ok;
  const arma::uvec order = arma::stable_sort_index(row_norms(W_), "descend");
  keep(arma::sort(order.head(nodes)));
  return minimum_norm(arma::mat(Bt_.t()), Z, W_);
}

void JointSparse::keep(const arma::uvec& rows) {
  places_ = arma::uvec(places_.elem(rows));
  Bt_ = Bt_.rows(rows).eval();
  W_ = W_.rows(rows).eval();
  active_ = arma::uvec(active_.elem(rows));
}

arma::mat JointSparse::V() const { return gemm(Op::transpose, Op::none, 1.0, Bt_, W_); }

arma::mat JointSparse::compress() {
  expects(Bt_.n_rows <= Bt_.n_cols, "JointSparse::compress: no more nodes than dimensions");
  arma::mat Q, R;
  arma::qr_econ(Q, R, Bt_.t());
  Bt_ = R.t();
  return Q;
}

double JointSparse::norm21() const { return arma::accu(row_norms(W_)); }

}  // namespace elmx
