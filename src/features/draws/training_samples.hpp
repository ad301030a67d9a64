#pragma once

#include "preprocess/inputs.hpp"

namespace elmx {

/// The N training samples as a draw of nodes sees them: scaled inputs X (N x d) times a metric M (d x d), and
/// targets. Owns nothing.
struct TrainingSamples {
  const Inputs& inputs;
  const arma::mat& targets;           // N x c
  const arma::mat* metric = nullptr;  // M; null: I

  arma::uword count() const { return inputs.samples(); }

  /// Rows of X M: one for each of the samples named, in that order.
  arma::mat rows(const arma::uvec& samples) const;
};

}  // namespace elmx
