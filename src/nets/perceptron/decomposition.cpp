#include "nets/perceptron/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr double kLeast = std::numeric_limits<double>::min();  // bound of xi^k: 0 would turn the test off

}  // namespace

Decomposition::Decomposition(const PerceptronProblem& problem, arma::mat W, arma::mat Lambda, const Scheme& scheme,
                             const DecompositionOptions& options)
    : problem_(problem),
      scheme_(scheme),
      options_(options),
      W_(std::move(W)),
      Lambda_(std::move(Lambda)),
      H_(problem.samples(), W_.n_cols),
      R_(problem.Y.copy()) {
  expects(W_.n_rows == problem.inputs() && Lambda_.n_rows == W_.n_cols && Lambda_.n_cols == problem.outputs(),
          "Decomposition: W is n x N, Lambda N x C");
  hidden_outputs(problem_.X, W_, View<double>(H_));
  gemm(Op::none, Op::none, 1.0, H_, Lambda_, -1.0, View<double>(R_));
}

Status Decomposition::major_step() {
  const std::size_t blocks = k_ == 0 ? scheme_.opening.size() : scheme_.major.size();
  for (std::size_t i = 0; i < blocks; ++i) {
    if (const Status status = block_step(); status != Status::ok) return status;
  }
  return Status::ok;
}

Status Decomposition::block_step() {
  const std::size_t opening = scheme_.opening.size(), cycle = scheme_.major.size();
  if (k_ >= opening && cycle == 0) return Status::ok;
  BlockStep step = k_ < opening ? scheme_.opening[k_] : scheme_.major[(k_ - opening) % cycle];
  if (k_ >= opening && (k_ - opening) % cycle == 0) arrange_units();
  if (step.L.count == 1) {
    step.L.first = step.J.first = units_(step.L.first);
    minimise_unit(step.L.first);
  } else if (step.L.count > 1) {
    expects(step.L.count == W_.n_cols, "Decomposition: L is empty, one unit, or all");
    minimise_all_units();
  }
  const Status status = minimise_outputs(step.J);
  if (status == Status::ok) ++k_;
  return status;
}

void Decomposition::arrange_units() {
  const std::size_t sweep = (k_ - scheme_.opening.size()) / scheme_.major.size();
  units_ = units_in_order(options_.order, W_.n_cols, sweep, options_.rng,
                          [this] { return arma::rowvec(arma::sqrt(arma::sum(arma::square(gradients().W), 0))); });
}

UnitStep Decomposition::minimise_unit(uword j) {
  const arma::vec w = W_.col(j);
  const arma::rowvec lambda = Lambda_.row(j);
  const UnitError error(problem_, w, H_.colptr(j), lambda, R_);
  UnitStep step = unit_step(error, std::pow(options_.theta, static_cast<double>(k_)), options_.unit);
  if (arma::any(step.w != w)) {
    ger(-1.0, H_.colptr(j), lambda.memptr(), View<double>(R_));  // R_0 = R - h_0 lambda
    W_.col(j) = step.w;
    hidden_outputs(problem_.X, View<const double>(W_).col(j), View<double>(H_).col(j));
    ger(1.0, H_.colptr(j), lambda.memptr(), View<double>(R_));
  }
  return step;
}

void Decomposition::minimise_all_units() {
  const uword n = W_.n_rows, N = W_.n_cols;
  arma::vec x = arma::vectorise(W_);
  arma::mat unused(arma::size(Lambda_));
  const auto error = [&](const double* w, double* gradient) {
    return error_and_gradient(problem_, {w, n, N, n}, Lambda_, {gradient, n, N, n}, View<double>(unused));
  };
  minimise_lbfgs(error, x, options_.unit.lbfgs);
  W_ = arma::reshape(x, n, N);
  hidden_outputs(problem_.X, W_, View<double>(H_));
  R_ = problem_.Y.copy();
  gemm(Op::none, Op::none, 1.0, H_, Lambda_, -1.0, View<double>(R_));
}

Status Decomposition::minimise_outputs(const Units& J) {
  if (J.count == 0) return Status::ok;
  if (J.count == 1 && W_.n_cols > 1) {
    minimise_output(J.first);
    return Status::ok;
  }
  const View<const double> H = View<const double>(H_).block(0, J.first, H_.n_rows, J.count);
  const View<double> of_J = View<double>(Lambda_).block(J.first, 0, J.count, Lambda_.n_cols);
  arma::mat lambda = of_J.copy();
  // H_J lambda is fitted to T = -R_0, R_0 = R - H_J Lambda_J, which is Y if J has all units.
  arma::mat T = problem_.Y.copy();
  if (J.count < W_.n_cols) {
    T = -R_;
    gemm(Op::none, Op::none, 1.0, H, lambda, 1.0, View<double>(T));
  }
  if (const Status status = solve_outputs({H, T, problem_.tau_lambda}, lambda); status != Status::ok) return status;
  Lambda_.rows(J.first, J.first + J.count - 1) = lambda;
  R_ = std::move(T);
  gemm(Op::none, Op::none, 1.0, H, lambda, -1.0, View<double>(R_));
  return Status::ok;
}

/// Sets lambda_j = -h'R_0 / (h'h + tau_lambda), R_0 = R - h lambda_j   (28).
void Decomposition::minimise_output(uword j) {
  const double* h = H_.colptr(j);
  const double hh = dot(H_.n_rows, h, h);
  arma::rowvec gradient(Lambda_.n_cols);
  gemv(Op::transpose, 1.0, R_, h, 0.0, gradient.memptr());
  gradient += problem_.tau_lambda * Lambda_.row(j);
  const arma::rowvec change = -gradient / (hh + problem_.tau_lambda);
  Lambda_.row(j) += change;
  ger(1.0, h, change.memptr(), View<double>(R_));
}

Status Decomposition::solve_outputs(const OutputProblem& problem, arma::mat& Lambda) const {
  switch (options_.outputs) {
    case OutputSolver::cg: {
      CgOptions cg = options_.cg;
      if (options_.xi > 0) cg.gradient = std::max(std::pow(options_.xi, static_cast<double>(k_)), kLeast);
      minimise_by_cg(problem, cg, Lambda);
      return Lambda.is_finite() ? Status::ok : Status::not_finite;
    }
    case OutputSolver::cholesky:
      if (solve_by_cholesky(problem, Lambda) == Status::ok) return Status::ok;
      [[fallthrough]];
    case OutputSolver::qr:
      break;
  }
  return solve_by_qr(problem, Lambda);
}

double Decomposition::error() const {
  const double r = arma::norm(R_, "fro"), w = arma::norm(W_, "fro"), lambda = arma::norm(Lambda_, "fro");
  return 0.5 * (r * r + problem_.tau_lambda * lambda * lambda + problem_.tau_w * w * w);
}

Decomposition::Gradients Decomposition::gradients() const {
  Gradients of{arma::mat(arma::size(W_)), arma::mat(arma::size(Lambda_))};
  error_and_gradient(problem_, W_, Lambda_, View<double>(of.W), View<double>(of.Lambda));
  return of;
}

double Decomposition::gradient_norm() const {
  const Gradients of = gradients();
  return std::hypot(arma::norm(of.W, "fro"), arma::norm(of.Lambda, "fro"));
}

}  // namespace elmx
