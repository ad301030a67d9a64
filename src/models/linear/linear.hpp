#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/linear/linear_options.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Nothing is drawn. Models differ in the ridge parameter. Memory: N (1 + d) numbers, of the mean N.
/// Options: LinearOptions or MeanOptions.
template <class Options>
std::unique_ptr<Trainer> make_linear(const std::vector<Options>& models, FoldView fold, const Rng& rng);

/// A model as it was after its training. Throws DataError if the stored network does not fit.
template <class Options>
std::unique_ptr<Predictor> restore_linear(const Options& model, const TrainedNetwork& network,
                                          const NetworkShape& shape);

/// Memory and work of one task.
template <class Options>
Cost linear_cost(const std::vector<Options>& models, const Sizes& sizes);

}  // namespace elmx
