#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/bls/bls_options.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains broad learning systems that differ in their ridge parameter only: the nodes are drawn and fitted
/// once, every algorithm grows on them, and everything independent of the ridge parameter is computed once.
/// Memory: N x k numbers for a stored expanded input, or N x (feature nodes) for a streamed one, and the
/// state of the running algorithm for each ridge parameter.
std::unique_ptr<Trainer> make_bls(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_bls(const BlsOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another, all models).
Cost bls_cost(const std::vector<BlsOptions>& models, const Sizes& sizes);

}  // namespace elmx
