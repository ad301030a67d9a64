#include "nets/perceptron/unit_step.hpp"

#include <array>

#include "base/config/fields.hpp"
#include "features/activation.hpp"
#include "linalg/blas.hpp"
#include "nets/perceptron/perceptron.hpp"

namespace elmx {
namespace {

constexpr uword kBlock = 2048;  // samples per block; its X and h stay in the cache between the two products
using Block = std::array<double, kBlock>;

}  // namespace

UnitError::UnitError(const PerceptronProblem& problem, const arma::vec& w0, const double* h0,
                     const arma::rowvec& lambda, View<const double> R)
    : problem_(problem), w0_(w0), h0_(h0), r_(problem.samples()), s_(arma::dot(lambda, lambda)) {
  expects(w0.n_elem == problem.inputs() && lambda.n_elem == problem.outputs() && R.rows == problem.samples() &&
              R.cols == lambda.n_elem,
          "UnitError: w is n, lambda 1 x C, R P x C");
  gemv(Op::none, 1.0, R, lambda.memptr(), 0.0, r_.memptr());
  axpy(r_.n_elem, -s_, h0, r_.memptr());  // R_0 lambda' = R lambda' - s h_0
}

double UnitError::operator()(const double* w, double* gradient) const {
  const uword n = variables();
  const arma::vec sums =
      sum_over_samples(problem_.samples(), kBlock, 1 + n, [&](uword first, uword count, double* sum) {
        const View<const double> X = problem_.X.block(first, 0, count, n);
        Block h, e;
        gemv(Op::none, 1.0, X, w, 0.0, h.data());
        activate(Activation::sigmoid, h.data(), count, 0.0);
        const double* r = r_.memptr() + first;
        const double* h0 = h0_ + first;
        double change = 0;
#pragma omp simd reduction(+ : change)
        for (uword i = 0; i < count; ++i) {
          change += (h[i] - h0[i]) * (r[i] + 0.5 * s_ * (h[i] + h0[i]));
          e[i] = (r[i] + s_ * h[i]) * h[i] * (1 - h[i]);
        }
        sum[0] += change;
        gemv(Op::transpose, 1.0, X, e.data(), 1.0, sum + 1);
      });
  for (uword i = 0; i < n; ++i) gradient[i] = sums(1 + i) + problem_.tau_w * w[i];
  return sums(0) + penalty(w);
}

arma::vec UnitError::product(const arma::vec& x) const {
  arma::vec v(problem_.samples());
  gemv(Op::none, 1.0, problem_.X, x.memptr(), 0.0, v.memptr());
  return v;
}

double UnitError::along(const arma::vec& v, const arma::vec& q, const arma::vec& d, double alpha) const {
  const arma::vec sums = sum_over_samples(problem_.samples(), kBlock, 1, [&](uword first, uword count, double* sum) {
    Block h;
    for (uword i = 0; i < count; ++i) h[i] = v(first + i) + alpha * q(first + i);
    activate(Activation::sigmoid, h.data(), count, 0.0);
    const double* r = r_.memptr() + first;
    const double* h0 = h0_ + first;
    double change = 0;
#pragma omp simd reduction(+ : change)
    for (uword i = 0; i < count; ++i) change += (h[i] - h0[i]) * (r[i] + 0.5 * s_ * (h[i] + h0[i]));
    sum[0] += change;
  });
  const arma::vec w = w0_ + alpha * d;
  return sums(0) + penalty(w.memptr());
}

double UnitError::penalty(const double* w) const {
  double sum = 0;
  for (uword i = 0; i < variables(); ++i) sum += (w[i] - w0_(i)) * (w[i] + w0_(i));
  return 0.5 * problem_.tau_w * sum;
}

namespace {

/// Performs Algorithm 2: finds the first alpha = a delta^i with E(w_0 + alpha d) <= E(w_0) - gamma alpha
/// ||d||^2, d = -gradient.
void armijo_step(const UnitError& error, const ArmijoOptions& options, UnitStep& step) {
  const arma::vec d = -step.gradient, v = error.product(error.start()), q = error.product(d);
  const double slope = arma::dot(d, d);
  double alpha = options.a;
  for (; step.backtracks < options.trials; ++step.backtracks, alpha *= options.delta) {
    const double change = error.along(v, q, d, alpha);
    if (!(change <= -options.gamma * alpha * slope)) continue;
    step.alpha = alpha;
    step.change = change;
    step.w = error.start() + alpha * d;
    return;
  }
}

}  // namespace

void ArmijoOptions::fields(FieldVisitor& field) {
  field("first", a, "first step length (a in the paper)", more_than(0));
  field("decrease", gamma, "sufficient decrease (gamma)", between(0, 1));
  field("reduction", delta, "factor from one trial to the next (delta)", between(0, 1));
  field("trials", trials, "largest number of step lengths that are tried; if all fail, the unit does not change",
        between(1, 1e4));
}

UnitStep unit_step(const UnitError& error, double threshold, const UnitStepOptions& options) {
  UnitStep step;
  step.w = error.start();
  step.gradient.set_size(error.variables());
  error(step.w.memptr(), step.gradient.memptr());
  if (arma::norm(step.gradient) <= threshold) {
    step.skipped = true;
    return step;
  }
  armijo_step(error, options.armijo, step);
  if (!options.inner) return step;

  arma::vec w = options.inner_from_armijo ? step.w : error.start();
  LbfgsOptions lbfgs = options.lbfgs;
  if (options.armijo_length && step.alpha > 0)
    lbfgs.first_step = step.alpha * arma::norm(step.gradient);  // a length that is known to work
  const LbfgsSummary inner =
      minimise_lbfgs([&](const double* x, double* gradient) { return error(x, gradient); }, w, lbfgs);
  const double distance = arma::norm(w - error.start());
  if (inner.iterations > 0 && inner.value <= step.change && inner.value <= -options.tau * distance * distance) {
    step.w = std::move(w);
    step.change = inner.value;
    step.inner_accepted = true;
  }
  return step;
}

}  // namespace elmx
