#include "nets/optimisers/lbfgs.hpp"

#include <lbfgs.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>

namespace elmx {
namespace {

/// The state of one call of liblbfgs. It minimises over u = x / first_step because its first step has length
/// 1; nothing else in the method depends on the unit. An exception must not pass through C, so it is kept and
/// rethrown after the call.
struct Run {
  const Objective& f;
  const LbfgsOptions& options;
  const std::function<void(const LbfgsIterate&)>& observe;
  arma::vec& x;
  arma::vec gradient;
  double value;          ///< f at x
  LbfgsSummary summary;  ///< summary.value belongs to the last accepted point
  std::exception_ptr failure;

  /// Evaluates f at x. NaN becomes infinity because no comparison of the line search would reject NaN.
  void evaluate() {
    value = f(x.memptr(), gradient.memptr());
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
    ++summary.evaluations;
  }
  bool converged(double gradient_norm) const {
    return gradient_norm <= options.accuracy * std::max(1.0, arma::norm(x));
  }

  void set_x(const lbfgsfloatval_t* u) {
    for (arma::uword i = 0; i < x.n_elem; ++i) x(i) = options.first_step * u[i];
  }
};

/// Evaluates f for liblbfgs. The first call asks for the start, whose value is known.
lbfgsfloatval_t evaluate(void* instance, const lbfgsfloatval_t* u, lbfgsfloatval_t* gradient, int,
                         lbfgsfloatval_t step) {
  Run& run = *static_cast<Run*>(instance);
  if (run.failure) return 0;
  try {
    run.set_x(u);
    if (step != 0) run.evaluate();
    for (arma::uword i = 0; i < run.x.n_elem; ++i) gradient[i] = run.options.first_step * run.gradient(i);
  } catch (...) {
    run.failure = std::current_exception();
  }
  return run.value;
}

int progress(void* instance, const lbfgsfloatval_t* u, const lbfgsfloatval_t*, lbfgsfloatval_t value, lbfgsfloatval_t,
             lbfgsfloatval_t gradient_norm, lbfgsfloatval_t, int, int, int) {
  Run& run = *static_cast<Run*>(instance);
  if (run.failure) return 1;
  try {
    run.set_x(u);
    const double of_x = gradient_norm / run.options.first_step;
    ++run.summary.iterations;
    run.summary.value = value;
    if (run.observe) run.observe({run.summary.iterations, run.x.memptr(), value, of_x});
    if (run.converged(of_x)) run.summary.stop = LbfgsStop::converged;
  } catch (...) {
    run.failure = std::current_exception();
  }
  return run.failure || run.summary.stop == LbfgsStop::converged ? 1 : 0;
}

lbfgs_parameter_t parameters(const LbfgsOptions& options) {
  lbfgs_parameter_t parameter;
  lbfgs_parameter_init(&parameter);
  parameter.m = static_cast<int>(options.memory);
  parameter.epsilon = 0;  // the test uses x, not u
  parameter.max_iterations = static_cast<int>(options.iterations);
  parameter.max_linesearch = static_cast<int>(options.trials);
  parameter.linesearch = LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
  parameter.ftol = 1e-4;
  parameter.wolfe = 0.9;
  return parameter;
}

}  // namespace

LbfgsSummary minimise_lbfgs(const Objective& f, arma::vec& x, const LbfgsOptions& options,
                            const std::function<void(const LbfgsIterate&)>& observe) {
  Run run{f, options, observe, x, arma::vec(x.n_elem), 0, {}, nullptr};
  run.evaluate();
  run.summary.value = run.value;
  const double steepest = arma::norm(run.gradient);
  if (steepest == 0 || (options.test_at_start && run.converged(steepest))) {
    run.summary.stop = LbfgsStop::converged;
    return run.summary;
  }
  if (!std::isfinite(run.value)) {
    run.summary.stop = LbfgsStop::line_search;
    return run.summary;
  }
  const int n = static_cast<int>(x.n_elem);
  // aligned for the SSE code of liblbfgs
  const std::unique_ptr<lbfgsfloatval_t, decltype(&lbfgs_free)> u(lbfgs_malloc(n), &lbfgs_free);
  if (!u) throw std::bad_alloc();
  for (int i = 0; i < n; ++i) u.get()[i] = x(static_cast<arma::uword>(i)) / options.first_step;
  lbfgs_parameter_t parameter = parameters(options);
  const int code = lbfgs(n, u.get(), nullptr, evaluate, progress, &run, &parameter);
  if (run.failure) std::rethrow_exception(run.failure);
  if (code == LBFGSERR_OUTOFMEMORY) throw std::bad_alloc();
  if (code != LBFGSERR_MAXIMUMITERATION && run.summary.stop != LbfgsStop::converged)
    run.summary.stop = LbfgsStop::line_search;
  run.set_x(u.get());
  return run.summary;
}

}  // namespace elmx
