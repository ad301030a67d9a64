#pragma once

#include <gtest/gtest.h>

#include "nets/golden.hpp"
#include "nets/perceptron/decomposition.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"

namespace elmx {

inline Decomposition training_of(const Net& net, std::string_view scheme, const DecompositionOptions& options = {},
                                 uword block = 2) {
  return {net.problem(), net.W, net.Lambda, scheme_from(scheme, net.W.n_cols, block), options};
}

inline double error_of(const Net& net, const Decomposition& training) {
  return static_cast<double>(error_by_definition(net, training.W(), training.Lambda()));
}

/// E and R kept along the way, against an evaluation from W and Lambda alone.
inline void expect_caches_are_fresh(const Net& net, const Decomposition& training) {
  const arma::mat H = hidden_by_definition(net.X, training.W());
  EXPECT_LE(relative_difference(training.H(), H), 1e-12);
  EXPECT_LE(frobenius(training.R() - (H * training.Lambda() - net.Y)), 1e-10 * frobenius(net.Y));
  EXPECT_NEAR(training.error() / error_of(net, training), 1, 1e-10);
}

inline double gradient_of_output(const Net& net, const Decomposition& training, uword j) {
  const arma::mat H = hidden_by_definition(net.X, training.W());
  return arma::norm(H.col(j).t() * (H * training.Lambda() - net.Y) + net.tau_lambda * training.Lambda().row(j));
}

}  // namespace elmx
