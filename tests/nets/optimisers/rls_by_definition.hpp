#pragma once

#include <cmath>

#include "nets/optimisers/rls.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/training.hpp"

namespace elmx {

/// The average as P meets it.
inline arma::vec met_by_P(const RlsOptions& options, arma::vec x) {
  if (!options.bias_in_p) x.tail(1).zeros();
  return x;
}

/// The steps of RLS by the least-squares problem that P stands for: P^-1 = A = rows'rows, where every average
/// input so far is a row and all of them are weighted anew in each step (35). R'R = A by QR of all rows, in
/// every step.
struct RlsByDefinition {
  RlsOptions options;
  double kappa;
  arma::mat Theta, P, Omega;

  RlsByDefinition(const RlsOptions& o, const arma::mat& Theta0, uword time_steps = 1)
      : options(o),
        kappa(o.k * static_cast<double>(time_steps)),
        Theta(Theta0),
        P(Theta0.n_rows, Theta0.n_rows, arma::fill::eye),
        Omega(arma::size(Theta0), arma::fill::zeros),
        rows_(P) {}

  void update(const arma::vec& average, const arma::mat& D) {
    const arma::vec x = met_by_P(options, average);
    const double lambda = options.forgetting;
    const bool wound_up = options.p_trace_max > 0 && arma::trace(P) > options.p_trace_max;
    const arma::mat before = factor(), S = signs();
    rows_ = arma::join_cols(rows_, std::sqrt(kappa / lambda) * x.t());  // A + kappa / lambda x x'
    // det(A + kappa / lambda x x') = (1 + kappa / lambda x'P x) det A: h = lambda + kappa x'P x
    const double h = lambda * std::pow(arma::prod(factor().diag()) / arma::prod(before.diag()), 2);
    if (!wound_up) rows_ *= std::sqrt(lambda);
    Omega = options.momentum * Omega - options.eta / h * solved(before, D);  // (63), (99)
    const arma::mat after = factor();
    P = solved(after, arma::eye(arma::size(P)));
    Theta += Omega - options.l1 * solved(after, S);  // (98), (100)
  }

 private:
  arma::mat factor() const {
    arma::mat Q, R;
    arma::qr_econ(Q, R, rows_);
    return R;
  }
  /// (R'R)^-1 B
  static arma::mat solved(const arma::mat& R, const arma::mat& B) {
    const arma::mat inner = arma::solve(arma::trimatl(R.t()), B);
    return arma::solve(arma::trimatu(R), inner);
  }
  arma::mat signs() const {
    arma::mat S = arma::sign(Theta);
    if (!options.l1_bias) S.tail_rows(1).zeros();
    return S;
  }

  arma::mat rows_;
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
