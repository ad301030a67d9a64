#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/linear/linear_options.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains models that differ in the ridge parameter; nothing is drawn. Memory: N (1 + d) numbers, for the
/// mean N. Options: LinearOptions or MeanOptions.
template <class Options>
std::unique_ptr<Trainer> make_linear(const std::vector<Options>& models, FoldView fold, const Rng& rng);

/// Restores a trained model. Throws DataError if the stored network does not fit.
template <class Options>
std::unique_ptr<Predictor> restore_linear(const Options& model, const TrainedNetwork& network,
                                          const NetworkShape& shape);

/// Returns the cost of one task.
template <class Options>
Cost linear_cost(const std::vector<Options>& models, const Sizes& sizes);

}  // namespace elmx
