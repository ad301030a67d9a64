#pragma once

#include <memory>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/s3elm/s3elm_options.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// ELM, OP-ELM, SELM and S3ELM on the same random nodes. Every point of an algorithm's grid is a checkpoint,
/// and the point that cross validation on the labelled samples prefers is one more, with `chosen`. What
/// belongs to the samples (graphs and their spectra) or to samples and nodes (H and a basis of its range) is
/// kept in FoldView::shared, and counts in full in the times of every trial. One model: a family whose
/// members share nothing else.
std::unique_ptr<Trainer> make_s3elm(const std::vector<S3elmModelOptions>& models, FoldView fold, const Rng& rng);

/// A network of that model as it was after its training. Throws DataError if the stored network
/// does not fit.
std::unique_ptr<Predictor> restore_s3elm(const S3elmModelOptions& model, const TrainedNetwork& network,
                                         const NetworkShape& shape);

/// Memory and work of one task (one fold, all algorithms one after another).
Cost s3elm_cost(const std::vector<S3elmModelOptions>& models, const Sizes& sizes);

}  // namespace elmx
