#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/s3elm/s3elm_options.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains ELM, OP-ELM, SELM and S3ELM on the same random nodes. Every point of the grid of an algorithm is a
/// checkpoint, and the point that cross validation on the labelled samples prefers is a further checkpoint,
/// with `chosen`. Data of the samples (graphs and their spectra) and of samples and nodes (H and a basis of
/// its range) are kept in FoldView::shared, and count in full in the times of every trial. Takes one model,
/// since models share nothing else.
std::unique_ptr<Trainer> make_s3elm(const std::vector<S3elmModelOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_s3elm(const S3elmModelOptions& model, const TrainedNetwork& network,
                                         const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another).
Cost s3elm_cost(const std::vector<S3elmModelOptions>& models, const Sizes& sizes);

}  // namespace elmx
