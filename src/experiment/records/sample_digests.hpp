#pragma once

#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// Computes the digests of a fold of the data set that `options` name. Two folds have equal `test` digests if
/// their test parts are the same rows of the files with the same targets, regardless of model, seed and file
/// name.
SampleDigests sample_digests(const Dataset& data, const ExperimentOptions& options, const Fold& fold);

}  // namespace elmx
