#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/dec/dec_options.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Perceptrons of one hidden layer, each algorithm and each size from the same random weights. One model: a
/// family whose members share nothing. Memory: P x n numbers for the inputs, P (N + 2 C) for the algorithm
/// that runs.
std::unique_ptr<Trainer> make_dec(const std::vector<DecOptions>& models, FoldView fold, const Rng& rng);

/// A network of that model as it was after its training. Throws DataError if the stored network
/// does not fit.
std::unique_ptr<Predictor> restore_dec(const DecOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Memory and work of one unit (one fold, all algorithms one after another).
Cost dec_cost(const std::vector<DecOptions>& models, const Sizes& sizes);

}  // namespace elmx
