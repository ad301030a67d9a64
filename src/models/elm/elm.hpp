#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/elm/elm_options.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains models that differ in the ridge parameter. The random layer is drawn and H formed once; every
/// algorithm grows on the same columns of H.
std::unique_ptr<Trainer> make_elm(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_elm(const ElmOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another).
Cost elm_cost(const std::vector<ElmOptions>& models, const Sizes& sizes);

}  // namespace elmx
