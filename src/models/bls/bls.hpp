#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/bls/bls_options.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Broad learning systems that differ in their ridge parameter only: the nodes are drawn and fitted once,
/// every algorithm grows on them, and what does not depend on the ridge parameter is computed once for all of
/// them. Memory: N x k numbers for the expanded input where it is stored, N x (feature nodes) where it is
/// streamed; the state of the algorithm that runs, once for each ridge parameter.
std::unique_ptr<Trainer> make_bls(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng);

/// A network of that model as it was after its training. Throws DataError if the stored network
/// does not fit.
std::unique_ptr<Predictor> restore_bls(const BlsOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Memory and work of one task (one fold, all algorithms one after another, all models).
Cost bls_cost(const std::vector<BlsOptions>& models, const Sizes& sizes);

}  // namespace elmx
