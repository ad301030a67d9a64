#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// Shard `number` of `of`: the part of a plan that is run.
struct ShardNumber {
  std::size_t number = 1, of = 1;
  bool operator==(const ShardNumber&) const = default;
};

inline constexpr std::size_t kMostShards = 100000;

/// Parses a shard number such as "2/4". Throws ConfigError.
ShardNumber read_shard_number(const std::string& text);

/// Formats a shard number: "shard 2 of 4".
std::string show(const ShardNumber& shard);

/// Returns the name of the folder of a shard in the folder of the whole run: "shard-2-of-4".
std::string folder_of_shard(const ShardNumber& shard);

/// One fold of the points that are computed together. There are several `cases` if these points do not fit
/// into memory at once.
struct PlannedTask {
  std::span<const PlannedCase> cases;
  std::size_t repeat = 0, fold = 0;
};

/// Returns the tasks in the plan's order, which does not depend on the memory of the machine.
std::vector<PlannedTask> tasks_of(const Plan& plan);

/// Returns the keys of the trials of a task: for each algorithm, the points in the order of the config.
std::vector<std::string> trial_keys(const PlannedTask& task);

/// The whole tasks of a plan that one shard runs.
struct PlannedShard {
  ShardNumber number;
  std::map<std::string, std::size_t> places;  ///< its trials: key -> place among all trials of the plan
  std::size_t tasks = 0;
  double work = 0;  ///< seconds on an ordinary machine, independent of this machine
  double part = 0;  ///< fraction of the work of all shards
};

/// Assigns the tasks of the plan to `of` shards, the longest task first, each to the shard with the least
/// work so far (the first on ties). The largest shard thus has at most the mean work plus the largest task.
/// The assignment depends only on the config and the data. A trial that several tasks share belongs to the
/// first task.
///
/// A task is not split, because its algorithms share the fold, its scaling and the random features, which
/// each part would have to compute again, and because the speed-ups of algorithms are ratios of times of one
/// fold, which must come from one machine.
std::vector<PlannedShard> shards_of(const Plan& plan, std::size_t of);

/// Returns the description of a shard for experiment.json, with its trials and their places in the merged
/// run: {"number": 2, "of": 4, "trials": {KEY: place}}.
Json describe_shard(const PlannedShard& shard);

}  // namespace elmx
