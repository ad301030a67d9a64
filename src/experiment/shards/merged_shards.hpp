#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "experiment/records/results.hpp"
#include "experiment/shards/shards.hpp"

namespace elmx {

/// The results folder of one shard.
struct ShardFolder {
  std::filesystem::path path;
  ShardNumber number;
  Json experiment;                            ///< its experiment.json
  std::map<std::string, std::size_t> places;  ///< the places of its trials, as in describe_shard
  std::set<std::string> all;                  ///< keys of all trials of the run
};

/// Returns true if the folder contains folders of shards.
bool has_shards(const std::filesystem::path& folder);

/// Returns the shards in the folders, sorted by number. Each folder is a shard itself or contains shards.
/// Throws DataError if a folder has no shard, or if the experiment.json of a shard is missing or damaged.
std::vector<ShardFolder> shards_in(const std::vector<std::filesystem::path>& folders);

/// The whole run, merged from its shards.
struct MergedShards {
  Json experiment;                 ///< as of a run on one machine; "merged" lists the run of each shard
  std::vector<std::string> lines;  ///< lines of records.jsonl in plan order, as the shards wrote them
  /// The shard folder of each network and the file name in it.
  std::vector<std::pair<std::filesystem::path, std::string>> networks;
  std::size_t failed = 0;  ///< number of failed trials
};

/// Merges shards. Throws DataError with the first problem:
///
///     a shard of another config, other data, or another division into shards
///     a shard of another program or other BLAS kernels (last bits differ), unless `any_program`
///     a duplicate or a missing shard, with the command that runs it
///     missing trials of a shard, with the command that resumes it
///
/// Throws UserError(resume_refused) if a shard is still running.
MergedShards merge_shards(const std::vector<ShardFolder>& shards, bool any_program);

/// Writes the merged run into a folder that is empty or holds a part of this run. Networks come before their
/// records.
void write_merged(const MergedShards& merged, ResultsFolder& results);

}  // namespace elmx
