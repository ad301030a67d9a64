#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/dec/dec_options.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains perceptrons with one hidden layer, each algorithm and each size from the same random weights. Takes
/// one model, since models share nothing. Memory: P x n numbers for the inputs, P (N + 2 C) for the running
/// algorithm.
std::unique_ptr<Trainer> make_dec(const std::vector<DecOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_dec(const DecOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another).
Cost dec_cost(const std::vector<DecOptions>& models, const Sizes& sizes);

}  // namespace elmx
