#pragma once

#include "data/transforms/inputs.hpp"

namespace elmx {

/// A view of the N training samples for a draw of nodes: scaled inputs X (N x d) times a metric M (d x d),
/// and targets.
struct TrainingSamples {
  const Inputs& inputs;
  const arma::mat& targets;           // N x c
  const arma::mat* metric = nullptr;  // M; null: I

  arma::uword count() const { return inputs.samples(); }

  /// Returns the rows of X M of the given samples, in their order.
  arma::mat rows(const arma::uvec& samples) const;
};

}  // namespace elmx
