#include "nets/perceptron/unit_step.hpp"

#include "base/config/fields.hpp"

namespace elmx {
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
  field("first", a, "first step length (the paper's a)", more_than(0));
  field("decrease", gamma, "sufficient decrease (gamma)", between(0, 1));
  field("reduction", delta, "factor from one trial to the next (delta)", between(0, 1));
  field("trials", trials, "at most; then the unit stays where it is", between(1, 1e4));
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
