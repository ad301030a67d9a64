#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

/// The records of a results folder that are of its experiment, as everything that shows results sees them:
/// for each case and sweep point of experiment.json the last record of each of its trials, in that order and
/// under the names that they have there. Records of other trials stay in the file where a run has gone on
/// with another config or other data; they are left out. A trial that several cases have in common is a
/// record of each.
///
/// Where experiment.json is not there, or does not list trials (as that of an older elmx), it is the last
/// record of each trial, in file order. Throws DataError or ConfigError.
std::vector<Record> current_records(const std::filesystem::path& folder);

/// How many of them there are when a run is finished; 0 where experiment.json does not list trials.
struct PlannedTrials {
  std::size_t here = 0;  ///< of the run: fewer than `all` where it is of a shard
  std::size_t all = 0;
  std::string part;  ///< "shard 2 of 4"; "" of all
};

/// Throws likewise.
PlannedTrials planned_trials(const std::filesystem::path& folder);

/// The same of an experiment.json.
PlannedTrials planned_trials_of(const Json& experiment);

/// Keys of the trials that the run of an experiment.json is to finish, in its order. A trial that several
/// cases have in common is listed once for each of them.
std::vector<std::string> planned_keys(const Json& experiment);

}  // namespace elmx
