#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

/// The number of trials of a finished run; 0 where its experiment.json does not list trials.
struct PlannedTrials {
  std::size_t here = 0;  ///< of the run: fewer than `all` where it is of a shard
  std::size_t all = 0;
  std::string part;  ///< "shard 2 of 4"; "" of all
};

/// Keys of the trials that the run of an experiment.json is to finish, in its order. A trial that several
/// cases have in common is listed once for each of them.
std::vector<std::string> planned_keys(const Json& experiment);

/// A results folder, as everything that shows results sees it: the experiment.json, which is read once, and
/// the records that belong to it.
class StoredRun {
 public:
  StoredRun() = default;

  /// Reads DIR/experiment.json, if it is there. Throws DataError where it is not JSON.
  explicit StoredRun(std::filesystem::path folder);

  /// A run whose experiment.json is known.
  StoredRun(std::filesystem::path folder, Json experiment);

  const std::filesystem::path& folder() const { return folder_; }

  /// DIR/experiment.json.
  std::filesystem::path file() const { return folder_ / "experiment.json"; }

  /// The content of experiment.json; null where it is not there.
  const Json& experiment() const { return experiment_; }

  /// One {"case", "point", "dataset", "options", "trials"} a case and sweep point.
  const Json& cases() const;

  PlannedTrials planned() const;

  /// Returns for each case and sweep point the last record of each of its trials, in that order and under the
  /// names that they have there. Records of other trials stay in the file where a run has gone on with
  /// another config or other data; they are left out. A trial that several cases have in common is a record
  /// of each. Where experiment.json does not list trials (an older elmx wrote it), these are the last
  /// record of each trial, in file order. Throws DataError or ConfigError.
  std::vector<Record> records() const;

 private:
  std::filesystem::path folder_;
  Json experiment_;
};

}  // namespace elmx
