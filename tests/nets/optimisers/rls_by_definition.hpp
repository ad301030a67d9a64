#pragma once

#include "nets/optimisers/rls.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/training.hpp"

namespace elmx {

/// Section 3.1 of the specification with (98) to (100), matrix by matrix.
struct RlsByDefinition {
  RlsOptions options;
  double steps;
  arma::mat Theta, P, Omega;
  arma::vec u;  // P x of the last step, P before it
  double h = 0;

  RlsByDefinition(const RlsOptions& o, const arma::mat& Theta0, uword time_steps = 1)
      : options(o),
        steps(static_cast<double>(time_steps)),
        Theta(Theta0),
        P(Theta0.n_rows, Theta0.n_rows, arma::fill::eye),
        Omega(arma::size(Theta0), arma::fill::zeros) {}

  void update(const arma::vec& x, const arma::mat& D) {
    const double kappa = options.k * steps, lambda = options.forgetting;
    u = P * x;
    h = lambda + kappa * arma::dot(x, u);
    Omega = options.momentum * Omega - options.eta / h * P * D;
    const bool divide = options.p_trace_max == 0 || arma::trace(P) <= options.p_trace_max;
    P = (P - kappa / h * u * u.t()) / (divide ? lambda : 1);
    arma::mat S = arma::sign(Theta);
    if (!options.l1_bias) S.tail_rows(1).zeros();
    Theta = Theta + Omega - options.l1 * P * S;
  }
};

/// A parameter of which the optimiser is told whatever a test likes.
template <class T = double>
struct LooseParameter {
  Parameter<T> parameter;
  arma::Mat<T> X, dZ;

  explicit LooseParameter(const arma::mat& Theta, uword steps = 1) : parameter(parameter_of<T>(Theta)) {
    parameter.steps = steps;
  }

  /// The batch number s of `rows` rows: X = [normal, 1], dZ normal, and what a layer makes of them.
  void draw(uword rows, std::uint32_t s) {
    X = with_ones(as<T>(arma::mat(0.3 + normal_matrix(rows, parameter.inputs() - 1, 41, s))));
    dZ = as<T>(arma::mat(normal_matrix(rows, parameter.outputs(), 42, s) / static_cast<double>(rows)));
    keep_gradient<T>(X, dZ, parameter);
    average_rows<T>(X, parameter);
  }
  arma::mat D() const { return as<double>(arma::Mat<T>(X.t() * dZ)); }
  arma::vec x() const { return arma::conv_to<arma::vec>::from(parameter.x); }
};

}  // namespace elmx
