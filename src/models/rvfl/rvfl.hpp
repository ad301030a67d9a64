#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/rvfl/rvfl_options.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains models that differ in the ridge parameter. Memory: N (d + layers x nodes) numbers, for an ensemble
/// N (d + nodes) per layer, and the state of the running algorithm.
std::unique_ptr<Trainer> make_rvfl(const std::vector<RvflOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_rvfl(const RvflOptions& model, const TrainedNetwork& network,
                                        const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another).
Cost rvfl_cost(const std::vector<RvflOptions>& models, const Sizes& sizes);

}  // namespace elmx
