#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/rls/rls_options.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains deep networks step by step, each algorithm from the same random parameters and with the same
/// batches. Takes one model, since models share nothing. An interrupted training continues from its last
/// saved state with the same bits.
std::unique_ptr<Trainer> make_rls(const std::vector<RlsModelOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_rls(const RlsModelOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another). Throws ConfigError if the
/// layers do not fit the data.
Cost rls_cost(const std::vector<RlsModelOptions>& models, const Sizes& sizes);

}  // namespace elmx
