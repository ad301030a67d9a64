#include "features/draws/small_network.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/symmetric_eigen.hpp"

namespace elmx {
namespace {

constexpr uword kRowsTogether = 4 * kFullBlock;
constexpr double kLeastSlack = 1e-3;  // smallest 1 - leverage

arma::mat product(Op op_a, Op op_b, const arma::mat& A, const arma::mat& B) {
  arma::mat C(op_a == Op::none ? A.n_rows : A.n_cols, op_b == Op::none ? B.n_cols : B.n_rows, arma::fill::none);
  gemm(op_a, op_b, 1.0, A, B, 0.0, View<double>(C));
  return C;
}

/// Returns A'A.
arma::mat gram_of(const arma::mat& A) {
  arma::mat G(A.n_cols, A.n_cols, arma::fill::none);
  syrk(1.0, A, 0.0, View<double>(G));
  return arma::symmatu(G);
}

/// Returns f(X W + 1 b), or the slopes f'(X W + 1 b): n x L.
template <class Apply>
arma::mat node_values(const RandomLayer& nodes, const arma::mat& X, const Apply& apply) {
  arma::mat H = product(Op::none, Op::none, X, nodes.W);
#pragma omp parallel for schedule(static)
  for (long j = 0; j < static_cast<long>(H.n_cols); ++j) {
    const auto column = static_cast<uword>(j);
    apply(H.colptr(column), H.n_rows, nodes.b(column));
  }
  return H;
}

arma::mat hidden_outputs(const RandomLayer& nodes, const arma::mat& X) {
  return node_values(nodes, X, [&](double* v, uword n, double b) { activate(nodes.activation, v, n, b); });
}

/// Computes leave-one-out errors for each lambda.   Hc = H - 1 mean = U sqrt(e) V', C = V'Hc'Yc
class LeaveOneOut {
 public:
  LeaveOneOut(const arma::vec& e, const arma::mat& C, const arma::vec& lambdas, uword n)
      : inverse_(e.n_elem, lambdas.n_elem), outputs_(C.n_cols), constant_(1 / static_cast<double>(n)) {
    for (uword i = 0; i < lambdas.n_elem; ++i) inverse_.col(i) = 1 / (e + lambdas(i));
    coefficients_.set_size(e.n_elem, lambdas.n_elem * outputs_);
    for (uword i = 0; i < lambdas.n_elem; ++i) {
      for (uword k = 0; k < outputs_; ++k) coefficients_.col(i * outputs_ + k) = inverse_.col(i) % C.col(k);
    }
  }

  /// Returns the sum of squared leave-one-out errors of each lambda over the samples with rows P = Hc V.
  arma::vec squares(const arma::mat& P, const arma::mat& Yc) const {
    const arma::mat fitted = product(Op::none, Op::none, P, coefficients_),
                    leverages = product(Op::none, Op::none, arma::square(P), inverse_);
    arma::vec sums(inverse_.n_cols, arma::fill::zeros);
    for (uword i = 0; i < sums.n_elem; ++i) {
      const arma::vec slack = arma::clamp(1 - constant_ - leverages.col(i), kLeastSlack, arma::datum::inf);
      for (uword k = 0; k < outputs_; ++k)
        sums(i) += arma::accu(arma::square((Yc.col(k) - fitted.col(i * outputs_ + k)) / slack));
    }
    return sums;
  }

 private:
  arma::mat inverse_;       // L x m: 1 / (e + lambda)
  arma::mat coefficients_;  // L x (m c): V'weights of each lambda
  uword outputs_;
  double constant_;  // leverage of the constant term
};

}  // namespace

Status SmallNetwork::fit(const arma::mat& X, const arma::mat& Y, RandomLayer nodes, SmallNetwork& network) {
  arma::mat H = hidden_outputs(nodes, X);
  const arma::rowvec mean = arma::mean(H), mean_target = arma::mean(Y);
  H.each_row() -= mean;
  const arma::mat Yc = Y.each_row() - mean_target;
  arma::mat V = gram_of(H);
  const double unit = arma::trace(V) / static_cast<double>(H.n_cols);
  arma::vec e;
  if (const Status status = symmetric_eigen(V, e); status != Status::ok) return status;
  e = arma::clamp(e, 0, arma::datum::inf);
  const arma::mat C = product(Op::transpose, Op::none, V, product(Op::transpose, Op::none, H, Yc));
  const arma::vec lambdas = arma::logspace(-7, 2, 19) * (unit > 0 ? unit : 1);
  const LeaveOneOut errors(e, C, lambdas, H.n_rows);
  arma::vec sums(lambdas.n_elem, arma::fill::zeros);
  for (uword first = 0; first < H.n_rows; first += kRowsTogether) {
    const uword last = std::min(first + kRowsTogether, H.n_rows) - 1;
    sums += errors.squares(product(Op::none, Op::none, H.rows(first, last), V), Yc.rows(first, last));
  }
  if (!sums.is_finite()) return Status::not_finite;
  network.lambda = lambdas(sums.index_min());
  network.weights = product(Op::none, Op::none, V, C.each_col() / (e + network.lambda));
  network.constants = mean_target - mean * network.weights;
  network.nodes = std::move(nodes);
  return Status::ok;
}

arma::mat SmallNetwork::outputs(const arma::mat& X) const {
  arma::mat Z = product(Op::none, Op::none, hidden_outputs(nodes, X), weights);
  Z.each_row() += constants;
  return Z;
}

arma::mat SmallNetwork::average_gradient_products(const arma::mat& X) const {
  const arma::mat slopes =
      node_values(nodes, X, [&](double* v, uword n, double b) { activate_slope(nodes.activation, v, n, b); });
  const arma::mat S =
      gram_of(slopes) / static_cast<double>(X.n_rows) % product(Op::none, Op::transpose, weights, weights);
  const arma::mat A = product(Op::none, Op::transpose, product(Op::none, Op::none, nodes.W, S), nodes.W);
  return (A + A.t()) / 2;
}

}  // namespace elmx
