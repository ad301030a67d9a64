#pragma once

#include <armadillo>
#include <functional>

namespace elmx {

struct LbfgsOptions {
  std::size_t memory = 5;        ///< pairs (s, y) kept
  std::size_t iterations = 100;  ///< most accepted steps
  /// stop if ||gradient|| <= accuracy max(1, ||x||); 0 = never
  double accuracy = 1e-2;
  bool test_at_start = true;  ///< also test before the first iteration; false: only stop at gradient 0
  std::size_t trials = 20;    ///< most evaluations of one line search
  /// length of the first trial step; later lengths follow from the last step and its change of gradient
  double first_step = 1;
};

enum class LbfgsStop { converged, iterations, line_search };

struct LbfgsSummary {
  double value = 0;             ///< f at the returned point
  std::size_t iterations = 0;   ///< accepted steps
  std::size_t evaluations = 0;  ///< evaluations of value and gradient
  LbfgsStop stop = LbfgsStop::iterations;
};

/// Returns the value f(x) and sets the gradient; both arrays have one entry per variable.
using Objective = std::function<double(const double* x, double* gradient)>;

/// The state after an accepted step.
struct LbfgsIterate {
  std::size_t iteration;
  const double* x;
  double value;
  double gradient_norm;
};

/// Minimises f from x and overwrites x by the last accepted point, which is the best one: the value never
/// increases from one accepted point to the next. If f is not finite at x, there is no step and the result is
/// line_search.
///
/// Liu & Nocedal, "On the limited memory BFGS method" (1989), as implemented by liblbfgs, with backtracking
/// to the Wolfe conditions (sufficient decrease 1e-4, curvature 0.9). This line search of liblbfgs fails
/// least on units with raw inputs: in 2 of 600 small problems. The strong Wolfe conditions fail in 37 (the
/// search steps by factors of 0.5 and 2.1 and skips the narrow intervals in which they hold), and
/// More-Thuente, which has a sign error in version 1.10, fails in 7.
LbfgsSummary minimise_lbfgs(const Objective& f, arma::vec& x, const LbfgsOptions& options,
                            const std::function<void(const LbfgsIterate&)>& observe = {});

}  // namespace elmx
