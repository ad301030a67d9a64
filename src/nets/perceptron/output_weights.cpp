#include "nets/perceptron/output_weights.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"
#include "linalg/ridge_qr.hpp"

namespace elmx {
namespace {

/// Computes y = H~'H~ p = H'(H p) + tau p, and leaves q = H p for the caller.
void normal_product(const OutputProblem& problem, const arma::vec& p, arma::vec& q, arma::vec& y) {
  gemv(Op::none, 1.0, problem.H, p.memptr(), 0.0, q.memptr());
  gemv(Op::transpose, 1.0, problem.H, q.memptr(), 0.0, y.memptr());
  y += problem.tau * p;
}

std::size_t minimise_one(const OutputProblem& problem, const CgOptions& options, const double* t, arma::vec& lambda) {
  const uword N = problem.H.cols, P = problem.H.rows;
  arma::vec b(N), q(P), Ap(N), residual(P);
  gemv(Op::transpose, 1.0, problem.H, t, 0.0, b.memptr());  // H~'u = H't
  normal_product(problem, lambda, q, Ap);
  arma::vec r = b - Ap, p = r;
  double rr = arma::dot(r, r);
  const double scale = arma::norm(b), t_norm = std::sqrt(dot(P, t, t));
  const std::size_t most = options.iterations > 0 ? options.iterations : 10 * N;

  const auto finished = [&] {
    const double gradient = std::sqrt(rr);
    if (gradient == 0) return true;
    if (options.gradient > 0 && gradient > options.gradient) return false;
    if (!options.literal) return gradient <= options.tolerance * scale;
    std::copy_n(t, P, residual.memptr());
    gemv(Op::none, 1.0, problem.H, lambda.memptr(), -1.0, residual.memptr());
    return std::sqrt(arma::dot(residual, residual) + problem.tau * arma::dot(lambda, lambda)) <=
           options.tolerance * t_norm;
  };

  std::size_t iteration = 0;
  for (; iteration < most && !finished(); ++iteration) {
    normal_product(problem, p, q, Ap);
    const double a = rr / (arma::dot(q, q) + problem.tau * arma::dot(p, p));  // r'r / (H~p)'(H~p)
    lambda += a * p;
    r -= a * Ap;
    const double next = arma::dot(r, r);
    p = r + next / rr * p;
    rr = next;
  }
  return iteration;
}

}  // namespace

Status solve_by_cholesky(const OutputProblem& problem, arma::mat& Lambda) {
  const uword N = problem.H.cols;
  arma::mat G(N, N, arma::fill::none), B(N, problem.T.cols, arma::fill::none);
  ridge_gram(problem.H, problem.tau, View<double>(G));
  cross_product(problem.H, problem.T, View<double>(B));
  if (const Status status = cholesky(View<double>(G)); status != Status::ok) return status;
  cholesky_solve(G, View<double>(B));
  if (!B.is_finite()) return Status::not_finite;
  Lambda = std::move(B);
  return Status::ok;
}

Status solve_by_qr(const OutputProblem& problem, arma::mat& Lambda) {
  RidgeQr qr(problem.H.cols, problem.T.cols, problem.tau);
  qr.add_samples(problem.H, problem.T);
  return qr.solve(Lambda);
}

std::size_t minimise_by_cg(const OutputProblem& problem, const CgOptions& options, arma::mat& Lambda) {
  expects(Lambda.n_rows == problem.H.cols && Lambda.n_cols == problem.T.cols, "minimise_by_cg: Lambda is N x C");
  std::size_t iterations = 0;
  for (uword c = 0; c < Lambda.n_cols; ++c) {
    arma::vec lambda = Lambda.col(c);
    iterations += minimise_one(problem, options, &problem.T(0, c), lambda);
    Lambda.col(c) = lambda;
  }
  return iterations;
}

}  // namespace elmx
