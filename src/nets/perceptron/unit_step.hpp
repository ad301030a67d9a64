#pragma once

#include "nets/optimisers/lbfgs.hpp"
#include "nets/perceptron/unit_error.hpp"

namespace elmx {

class FieldVisitor;

struct ArmijoOptions {
  double a = 1;             ///< first step
  double gamma = 1e-4;      ///< sufficient decrease
  double delta = 0.5;       ///< reduction
  std::size_t trials = 60;  ///< most reductions; then the unit stays where it is

  void fields(FieldVisitor& field);
};

struct UnitStepOptions {
  ArmijoOptions armijo;
  double tau = 1e-6;              ///< tau of (26)
  bool inner = true;              ///< minimise by L-BFGS beyond the Armijo point
  bool inner_from_armijo = true;  ///< false: start at the current point
  /// the first trial step is as long as the Armijo step; false: lbfgs.first_step
  bool armijo_length = true;
  LbfgsOptions lbfgs;
};

/// The result of a step.
struct UnitStep {
  arma::vec w;           ///< n, the new input weights
  arma::vec gradient;    ///< n, at the old ones
  double change = 0;     ///< E(w) - E(w_0) <= 0
  bool skipped = false;  ///< ||gradient|| <= threshold
  double alpha = 0;      ///< Armijo step, 0 if none was found
  std::size_t backtracks = 0;
  bool inner_accepted = false;  ///< true: w is the L-BFGS point, with (25) and (26); false: the Armijo point
};

/// Performs step B of Algorithm 3 for one hidden unit: the Armijo step along -gradient (Algorithm 2), then
/// L-BFGS, whose point is accepted if
///
///     E(w^) <= E(w_A)                            (25)
///     E(w^) <= E(w_0) - tau ||w^ - w_0||^2       (26)
UnitStep unit_step(const UnitError& error, double threshold, const UnitStepOptions& options);

}  // namespace elmx
