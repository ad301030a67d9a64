#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// Shard `number` of `of`: which part of a plan is run.
struct ShardNumber {
  std::size_t number = 1, of = 1;
  bool operator==(const ShardNumber&) const = default;
};

inline constexpr std::size_t kMostShards = 100000;

/// "2/4". Throws ConfigError.
ShardNumber read_shard_number(const std::string& text);

/// "shard 2 of 4".
std::string show(const ShardNumber& shard);

/// Name of its folder below that of the whole run: "shard-2-of-4".
std::string folder_of_shard(const ShardNumber& shard);

/// One fold of the points that are computed together. `cases` are several where these points do not fit into
/// memory together.
struct PlannedTask {
  std::span<const PlannedCase> cases;
  std::size_t repeat = 0, fold = 0;
};

/// In the plan's order, which does not depend on the memory of the machine.
std::vector<PlannedTask> tasks_of(const Plan& plan);

/// Keys of the trials of a task: algorithms, and for each of them the points in the order of the config.
std::vector<std::string> trial_keys(const PlannedTask& task);

/// What one shard does of a plan: whole tasks.
struct PlannedShard {
  ShardNumber number;
  std::map<std::string, std::size_t> places;  ///< of its trials: key -> place among all trials of the plan
  std::size_t tasks = 0;
  double work = 0;  ///< seconds on an ordinary machine, whatever machine this is
  double part = 0;  ///< of the work of all shards
};

/// The tasks of the plan dealt to `of` shards, the longest first, each to the shard that has the least work
/// then; of equals to the first. So the largest share is at most the mean and the largest task, and depends
/// on config and data alone. A trial that several tasks have in common is of the first of them.
///
/// A task is not split. Its algorithms have the fold, its scaling and the random features in common, so that
/// each part would compute them again; and the speed-ups of algorithms are ratios of times of one fold, which
/// must come from one machine.
std::vector<PlannedShard> shards_of(const Plan& plan, std::size_t of);

/// Of experiment.json, for the trials that a shard is to have and the order in which shards are put together:
/// {"number": 2, "of": 4, "trials": {KEY: place}}.
Json describe_shard(const PlannedShard& shard);

}  // namespace elmx
