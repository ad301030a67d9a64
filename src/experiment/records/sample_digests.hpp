#pragma once

#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// Of a fold of the data set that `options` name. Two folds have the same `test` where their test parts are
/// the same rows of the files with the same targets, whatever model, seed or name of the file belongs to
/// them.
SampleDigests sample_digests(const Dataset& data, const ExperimentOptions& options, const Fold& fold);

}  // namespace elmx
