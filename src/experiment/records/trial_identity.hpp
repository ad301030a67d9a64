#pragma once

#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// The version of the computation of a trial. Increase it with every change of the source that changes a
/// number of a record. It is part of every key, so that trials of different versions are never mixed, and
/// programs of the same version can resume each other's results.
inline constexpr int kComputedVersion = 2;

/// The keys of the trials of a case and sweep point. A key is a hash of everything that determines the
/// result.
class TrialKeys {
 public:
  TrialKeys(const CaseSpec& spec, const Dataset& data);

  std::string of(const std::string& algorithm, std::size_t repeat, std::size_t fold);

 private:
  Json determined_;
};

/// Computes the digests of a fold of the data set that `options` name. Two folds have equal `test` digests if
/// their test parts are the same rows of the files with the same targets, regardless of model, seed and file
/// name.
SampleDigests sample_digests(const Dataset& data, const ExperimentOptions& options, const Fold& fold);

}  // namespace elmx
