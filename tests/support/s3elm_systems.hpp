#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/decompositions.hpp"
#include "solvers/sparse/s3elm.hpp"
#include "support/semi_supervised.hpp"
#include "support/status.hpp"

// The systems of S3ELM by their definitions, for random and stored problems.

namespace elmx {

struct Weighting {
  double lambda, tau, mu;
};

inline arma::mat weighted_rows(const arma::mat& W) {
  arma::mat unit = W;
  for (uword i = 0; i < W.n_rows; ++i) unit.row(i) /= arma::norm(W.row(i));
  return unit;
}

inline double norm21(const arma::mat& W) {
  double sum = 0;
  for (uword i = 0; i < W.n_rows; ++i) sum += arma::norm(W.row(i));
  return sum;
}

/// Returns ||HW - Y||^2 + lambda ||W||_{2,1} + tau (1 - mu) Tr Y'LY + tau mu ||J (Y - Y~)||^2, with H the
/// columns of the remaining nodes.
inline double G(const SemiSupervisedProblem& p, const arma::mat& H, const Weighting& by, const arma::mat& W,
                const arma::mat& Y) {
  return arma::accu(arma::square(H * W - Y)) + by.lambda * norm21(W) +
         by.tau * (1 - by.mu) * arma::trace(Y.t() * p.L * Y) +
         by.tau * by.mu * arma::accu(arma::square(p.J() * (Y - p.targets())));
}

inline arma::mat eye_of(const SemiSupervisedProblem& p) { return arma::eye(p.N(), p.N()); }

/// Y = M^-1 (HW + tau mu Y~) by LU, M = I + tau (1 - mu) L + tau mu J (26).
inline arma::mat labels_by_definition(const SemiSupervisedProblem& p, const Weighting& by, const arma::mat& HW) {
  return arma::solve(eye_of(p) + by.tau * (1 - by.mu) * p.L + by.tau * by.mu * p.J(),
                     HW + by.tau * by.mu * p.targets());
}

/// Builds the label system of a form whose last columns belong to the labelled samples.
inline Status label_system(const arma::mat& form, const arma::mat& labels, double tau_mu, LabelSystem& system) {
  const uword n = labels.n_rows;
  return elmx::label_system(form, form.n_rows - n, arma::regspace<arma::uvec>(0, 1, n - 1), labels, tau_mu, system);
}

/// Builds the system from the form of [Q E], by LU.
inline LabelSystem system_of(const SemiSupervisedProblem& p, const arma::mat& Q, const Weighting& by) {
  const arma::mat QE = arma::join_rows(Q, arma::mat(eye_of(p).eval().head_cols(p.n())));
  const arma::mat form = QE.t() * arma::solve(eye_of(p) + by.tau * (1 - by.mu) * p.L, QE);
  LabelSystem system;
  EXPECT_EQ(label_system((form + form.t()) / 2, p.labels, by.tau * by.mu, system), Status::ok);
  return system;
}

/// Builds the system with Q = I: B = H, Q'Y = Y.
inline LabelSystem system_of(const SemiSupervisedProblem& p, const Weighting& by) {
  return system_of(p, eye_of(p), by);
}

inline RangeBasis basis_of(const arma::mat& H) {
  RangeBasis basis;
  EXPECT_EQ(range_basis(H, 1e-13, basis), Status::ok);
  return basis;
}

inline arma::mat labelled_start(const SemiSupervisedProblem& p) {
  arma::mat W;
  EXPECT_EQ(minimum_norm(p.Hl(), p.labels, W, 1e-12), Status::ok);
  return W;
}

inline ConstrainedSystem constrained_of(const SemiSupervisedProblem& p, const arma::mat& Q, const Weighting& by) {
  ConstrainedSystem system;
  EXPECT_EQ(
      constrained_system(Q.t() * p.L * Q, Q.head_rows(p.n()), p.labels, by.tau * (1 - by.mu), by.tau * by.mu, system),
      Status::ok);
  return system;
}

}  // namespace elmx
