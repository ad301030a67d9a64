#pragma once

#include "nets/optimisers/lbfgs.hpp"
#include "nets/perceptron/perceptron.hpp"

namespace elmx {

class FieldVisitor;

/// The error as a function of the input weights w of one hidden unit, everything else fixed, minus the error
/// at w_0 (27):
///
///     E(w) - E(w_0) = (h - h_0)'(r + s/2 (h + h_0)) + tau_w/2 (w - w_0)'(w + w_0),     h = g(X w)
///     gradient      = X'[(r + s h) o h o (1 - h)] + tau_w w
///
///     r = R_0 lambda' (P),  R_0 = R - h_0 lambda the residual without the unit,  s = lambda lambda'
///
/// lambda: 1 x C. The difference stays accurate if E itself is large. The cost does not depend on C.
class UnitError {
 public:
  /// R: the residual H Lambda - Y (P x C) with the unit included. All but `lambda` must outlive the object.
  UnitError(const PerceptronProblem& problem, const arma::vec& w0, const double* h0, const arma::rowvec& lambda,
            View<const double> R);

  uword variables() const { return problem_.inputs(); }
  const arma::vec& start() const { return w0_; }

  /// Returns E(w) - E(w_0) and computes the gradient at w.   4 P n flops, one pass over X in blocks of
  /// samples that stay in the cache.
  double operator()(const double* w, double* gradient) const;

  /// Returns X x, for `along`.   2 P n flops.
  arma::vec product(const arma::vec& x) const;

  /// Returns E(w_0 + alpha d) - E(w_0), given v = X w_0 and q = X d.   No product with X: O(P).
  double along(const arma::vec& v, const arma::vec& q, const arma::vec& d, double alpha) const;

 private:
  /// Returns the contribution of the penalty: tau_w/2 (w - w_0)'(w + w_0).
  double penalty(const double* w) const;

  const PerceptronProblem& problem_;
  const arma::vec& w0_;
  const double* h0_;  // P
  arma::vec r_;       // P
  double s_;
};

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
