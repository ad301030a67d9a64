#pragma once

#include <armadillo>
#include <functional>

namespace elmx {

struct LbfgsOptions {
  std::size_t memory = 5;        ///< pairs (s, y) kept
  std::size_t iterations = 100;  ///< at most
  /// stop where ||gradient|| <= accuracy max(1, ||x||); 0 = never
  double accuracy = 1e-2;
  bool test_at_start = true;  ///< before the first iteration too; else only a gradient of 0 ends it there
  std::size_t trials = 20;    ///< evaluations of one line search
  /// length of the first step that is tried; from then on the last step and its change of gradient say
  double first_step = 1;
};

enum class LbfgsStop { converged, iterations, line_search };

struct LbfgsSummary {
  double value = 0;             ///< at the point returned
  std::size_t iterations = 0;   ///< accepted steps
  std::size_t evaluations = 0;  ///< of value and gradient
  LbfgsStop stop = LbfgsStop::iterations;
};

/// value = f(x, gradient); both arrays have as many entries as there are variables.
using Objective = std::function<double(const double* x, double* gradient)>;

/// What is known after an accepted step.
struct LbfgsIterate {
  std::size_t iteration;
  const double* x;
  double value;
  double gradient_norm;
};

/// Minimises f from x, which is overwritten by the best point: the last accepted one. The value never
/// increases from one accepted point to the next. Where f is not finite at x there is no step: line_search.
///
/// Liu & Nocedal, "On the limited memory BFGS method" (1989), as liblbfgs has it, with its backtracking to
/// the Wolfe conditions (sufficient decrease 1e-4, curvature 0.9). Of its searches this is the one that fails
/// least on units with raw inputs: 2 of 600 small problems, where the strong conditions fail 37 times (it
/// steps by factors of 0.5 and 2.1, and passes over the narrow intervals in which they hold) and More-Thuente
/// 7 times, which has a wrong sign in version 1.10.
LbfgsSummary minimise_lbfgs(const Objective& f, arma::vec& x, const LbfgsOptions& options,
                            const std::function<void(const LbfgsIterate&)>& observe = {});

}  // namespace elmx
