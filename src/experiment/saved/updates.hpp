#pragma once

#include "experiment/saved/new_samples.hpp"
#include "linalg/factor_updates.hpp"

namespace elmx {

/// Returns a digest of each row, the first 64 bits of a SHA-256: raw inputs and targets as they were read,
/// before any scaling. A class counts by its number, so that new classes at the end change nothing.
arma::uvec row_digests(const Dataset& data, const arma::uvec& rows);

/// Returns true if the model was trained on rows of these samples: by the digests of its training rows, else
/// by the checksum of the file.
bool are_training_rows(const SavedModel& model, const NewSamples& samples);

/// Removes the rows from the samples that a training of the model would have left out, since a value is
/// missing ("missing": "drop_rows"). Returns their number.
std::size_t leave_out_incomplete(const SavedModel& model, NewSamples& samples);

/// The effects of a change on a model, beside its new weights.
struct ModelChange {
  std::size_t samples = 0;               ///< after the change
  std::vector<std::string> new_classes;  ///< in the order of their outputs
  bool new_class_weights = false;        ///< the classes are weighed, and new classes have weight 1
  std::vector<std::string> dropped;      ///< parts of the first training that the model no longer has
  bool outweighs = false;                ///< the new samples are far larger than all others together
  bool doubtful = false;                 ///< the weights may be inaccurate: an ill-conditioned problem
};

/// Adds samples to an updatable model, or removes them: the network becomes the ridge solution on the
/// resulting samples, with the scalers, codings and feature map of the first training. Adds the change to
/// SavedModel::trial. Throws an error, and leaves the model unchanged, if it is not updatable, a row has no
/// target, the coding has no place for a new class, or a removed row is not one of its training rows;
/// `origin` and `file` are the files of the model and of the samples.
ModelChange change_samples(SavedModel& model, const NewSamples& samples, Change change, const std::string& origin,
                           const std::string& file);

}  // namespace elmx
