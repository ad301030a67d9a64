#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/rls/rls_options.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Deep networks trained step by step, each algorithm from the same random parameters and with the same
/// batches. One model: a family whose members share nothing. A training that is interrupted goes on from its
/// last saved state to the same bits.
std::unique_ptr<Trainer> make_rls(const std::vector<RlsModelOptions>& models, FoldView fold, const Rng& rng);

/// A network of that model as it was after its training. Throws DataError if the stored network
/// does not fit.
std::unique_ptr<Predictor> restore_rls(const RlsModelOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Memory and work of one task (one fold, all algorithms one after another). Throws ConfigError where the
/// layers do not fit the data.
Cost rls_cost(const std::vector<RlsModelOptions>& models, const Sizes& sizes);

}  // namespace elmx
