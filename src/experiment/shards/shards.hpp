#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"

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

// Merging (merged_shards.cpp)

/// The results folder of one shard.
struct ShardFolder {
  std::filesystem::path path;
  ShardNumber number;
  Json experiment;                            ///< its experiment.json
  std::map<std::string, std::size_t> places;  ///< the places of its trials, as in describe_shard
  std::set<std::string> all;                  ///< keys of all trials of the run
  std::set<std::string> with_network;         ///< keys of the trials of the run that keep their networks
};

/// Returns true if the folder contains folders of shards.
bool has_shards(const std::filesystem::path& folder);

/// Returns the shards in the folders, sorted by number. Each folder is a shard itself or contains shards.
/// Throws DataError if a folder has no shard, or if the experiment.json of a shard is missing or damaged.
std::vector<ShardFolder> shards_in(const std::vector<std::filesystem::path>& folders);

/// A finished trial of a shard and its line in records.jsonl.
struct WrittenTrial {
  Record record;
  std::string line;
};

/// The whole run, merged from its shards.
struct MergedShards {
  Json experiment;                   ///< as of a run on one machine; "merged" lists the run of each shard
  std::vector<WrittenTrial> trials;  ///< in plan order
  /// The shard folder of each network and the file name in it.
  std::vector<std::pair<std::filesystem::path, std::string>> networks;
  std::size_t failed = 0;  ///< number of failed trials
};

/// Merges shards. Throws DataError with the first problem:
///
///     a shard of another config, other data, or another division into shards
///     a shard of another program or other BLAS kernels (last bits differ), unless `any_program`
///     a duplicate or a missing shard, with the command that runs it
///     missing trials of a shard, with the command that resumes it, or missing networks of its trials
///     two trials with the same place
///
/// Throws UserError(resume_refused) if a shard is still running.
MergedShards merge_shards(const std::vector<ShardFolder>& shards, bool any_program);

/// Writes the merged run into a folder that is empty or holds a part of this run. Networks come before their
/// records.
void write_merged(const MergedShards& merged, ResultsFolder& results);

// Slurm (slurm_script.cpp)

/// The values that a Slurm script is made from.
struct SlurmScript {
  std::string program;                     ///< elmx
  std::string working_folder;              ///< the folder in which jobs run
  std::string folder;                      ///< the absolute results folder
  std::vector<std::string> run_arguments;  ///< arguments of elmx run, without -o
  std::string name;
  std::string partition, account;  ///< "" = Slurm's own
  std::size_t trials = 0, shards = 1, at_once = 1;
  int threads = 1;
  double planned_bytes = 0;
  double planned_seconds = 0;  ///< time of the largest shard
  double model_seconds = 0;    ///< time to train models after the merge; 0 = no models
};

/// Returns a bash script that submits an array of jobs, one per shard, and a job that merges the shards when
/// all are finished.
std::string text_of(const SlurmScript& script);

}  // namespace elmx
