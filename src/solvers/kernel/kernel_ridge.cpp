#include "solvers/kernel/kernel_ridge.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "solvers/kernel/kernel_factor.hpp"
#include "solvers/kernel/symmetric_cg.hpp"

namespace elmx {
namespace {

constexpr uword kProbeColumns = 8;

/// Returns [S Y, s], or S Y without an intercept.
arma::mat right_sides(const arma::vec& s, const arma::mat& Y, bool intercept) {
  arma::mat B = Y;
  B.each_col() %= s;
  if (intercept) B.insert_cols(B.n_cols, s);
  return B;
}

/// The quantities a, b and C s / sqrt(s'C s) from X = C [S Y, s].
struct Bordered {
  arma::mat a;
  arma::rowvec b;
  arma::vec direction;  // C s / sqrt(s'C s), P = C - direction direction'; empty without an intercept
  double root = 1;      // sqrt(s'C s)

  Bordered(const arma::mat& X, const arma::vec& s, bool intercept) {
    const uword c = X.n_cols - (intercept ? 1 : 0);
    a = X.head_cols(c);
    b.zeros(c);
    if (!intercept) return;
    const arma::vec u = X.col(c);
    const double q = arma::dot(s, u);
    b = s.t() * a / q;
    a -= u * b;
    root = std::sqrt(q);
    direction = u / root;
  }
};

/// Returns the leave-one-out machines of `samples`. columns: C e_i of these samples, n x m.
LeftOut left_out_of(const arma::uvec& samples, const arma::vec& s, const Bordered& solution, arma::mat columns) {
  LeftOut of{std::move(columns), arma::mat(samples.n_elem, solution.a.n_cols)};
  arma::rowvec of_intercept(samples.n_elem, arma::fill::zeros);
  for (uword j = 0; j < samples.n_elem; ++j) {
    const uword i = samples(j);
    if (!solution.direction.is_empty()) {
      of.directions.col(j) -= solution.direction * solution.direction(i);
      of_intercept(j) = s(i) * solution.direction(i) / solution.root;
    }
    of.residuals.row(j) = solution.a.row(i) / (of.directions(i, j) * s(i));
    of.directions.col(j) %= s(i) * s;
  }
  of.directions.insert_rows(of.directions.n_rows, of_intercept);
  return of;
}

template <class Factor>
Status solve_by(const Factor& factor, const KernelMatrix<double>& K, const arma::vec& s, const arma::mat& Y,
                const KernelRidge& problem, KernelFit& fit) {
  const uword n = K.size(), known = n - std::min(n, problem.known_from);
  const arma::mat B = right_sides(s, Y, problem.intercept);
  const auto precondition = [&](arma::mat& X) { factor.solve(View<double>(X)); };
  const double bound = factor.trace() + problem.lambda;  // bound of ||R||
  arma::mat X = B;
  if (problem.arithmetic == KernelArithmetic::mixed) {
    const auto times = [&](const arma::mat& M) -> arma::mat { return K.times(M) + problem.lambda * M; };
    fit.products = symmetric_cg(times, precondition, B, bound, X);
  } else {
    precondition(X);
  }
  if (!X.is_finite()) return Status::not_finite;
  const Bordered solution(X, s, problem.intercept);

  // Some columns of C are solved beside the solution: one product shows the errors of both.
  const uword probes = std::min(known, kProbeColumns);
  const arma::uvec probed = probes == 0 ? arma::uvec() : arma::linspace<arma::uvec>(n - known, n - 1, probes);
  arma::mat E(n, probes, arma::fill::zeros);
  for (uword j = 0; j < probes; ++j) E(probed(j), j) = 1;
  arma::mat columns = E;
  if (probes > 0) precondition(columns);
  const arma::mat SY = right_sides(s, Y, false);
  const arma::mat A = arma::join_rows(solution.a, columns), RA = K.times(A) + problem.lambda * A;
  const arma::mat residual = SY - RA.head_cols(Y.n_cols) - s * solution.b;
  const double size = bound * arma::norm(solution.a, "fro") + arma::norm(SY, "fro");
  fit.backward_error = size > 0 ? arma::norm(residual, "fro") / size : 0;

  fit.alpha = solution.a;
  fit.alpha.each_col() %= s;
  fit.intercept = solution.b;
  if (!problem.without.is_empty()) {
    arma::mat D(n, problem.without.n_elem, arma::fill::zeros);
    for (uword j = 0; j < D.n_cols; ++j) D(problem.without(j), j) = 1;
    precondition(D);
    fit.left_out = left_out_of(problem.without, s, solution, std::move(D));
  }
  fit.left.reset();
  fit.left_error = 0;
  if (known == 0) return Status::ok;
  arma::vec diagonal = factor.inverse_diagonal(n - known);
  if (probes > 0) {
    // C_ii = x_i + x'r + r'C r exactly, r = e_i - R x.
    const arma::mat r = E - RA.tail_cols(probes);
    arma::mat Cr = r;
    precondition(Cr);
    for (uword j = 0; j < probes; ++j) {
      const double exact = columns(probed(j), j) + arma::dot(columns.col(j), r.col(j)) + arma::dot(r.col(j), Cr.col(j));
      fit.left_error = std::max(fit.left_error, std::abs(diagonal(probed(j) - (n - known)) / exact - 1));
    }
  }
  if (problem.intercept) diagonal -= arma::square(solution.direction.tail(known));
  fit.left = problem.lambda * diagonal;
  return Status::ok;
}

arma::vec ones_if_empty(const arma::vec& scale, uword n) {
  return scale.is_empty() ? arma::vec(n, arma::fill::ones) : scale;
}

}  // namespace

Status solve_kernel_ridge(const KernelMatrix<double>& K, const arma::vec& scale, const arma::mat& Y,
                          const KernelRidge& problem, KernelFit& fit) {
  const arma::vec s = ones_if_empty(scale, K.size());
  if (problem.arithmetic == KernelArithmetic::in_double) {
    DenseKernelFactor factor;
    const Status status = factor.factorise(K, problem.lambda);
    return status == Status::ok ? solve_by(factor, K, s, Y, problem, fit) : status;
  }
  PanelKernelFactor factor;
  const Status status = factor.factorise(K, scale, problem.lambda, problem.arithmetic == KernelArithmetic::mixed);
  return status == Status::ok ? solve_by(factor, K, s, Y, problem, fit) : status;
}

KernelSpectrum::KernelSpectrum(const KernelMatrix<double>& K, const arma::vec& scale, arma::mat Y, bool intercept)
    : V_(K.size(), K.size()), scale_(ones_if_empty(scale, K.size())), Y_(std::move(Y)), intercept_(intercept) {
  K.form(View<double>(V_));
  status_ = symmetric_eigen(V_, theta_);
  if (status_ != Status::ok) return;
  theta_ = arma::clamp(theta_, 0, theta_.max());
  squares_ = arma::square(V_);
  const arma::mat B = right_sides(scale_, Y_, intercept);
  rotated_.set_size(B.n_rows, B.n_cols);
  gemm(Op::transpose, Op::none, 1.0, V_, B, 0.0, View<double>(rotated_));
}

void KernelSpectrum::solve(double lambda, KernelFit& fit) const {
  const arma::vec inverse = 1 / (theta_ + lambda);
  arma::mat X(V_.n_rows, rotated_.n_cols);
  gemm(Op::none, Op::none, 1.0, V_, arma::mat(rotated_.each_col() % inverse), 0.0, View<double>(X));
  const Bordered solution(X, scale_, intercept_);
  arma::vec diagonal(V_.n_rows);
  gemv(Op::none, 1.0, squares_, inverse.memptr(), 0.0, diagonal.memptr());
  if (intercept_) diagonal -= arma::square(solution.direction);
  fit.left = lambda * diagonal;
  fit.alpha = solution.a;
  fit.alpha.each_col() %= scale_;
  fit.intercept = solution.b;
}

arma::mat KernelSpectrum::left_out_outputs(double lambda) const {
  KernelFit fit;
  solve(lambda, fit);
  // y_i - f(x_i) = lambda a_i / s_i = lambda alpha_i / w_i
  const arma::vec factor = lambda / (arma::square(scale_) % fit.left);
  return Y_ - fit.alpha.each_col() % factor;
}

}  // namespace elmx
