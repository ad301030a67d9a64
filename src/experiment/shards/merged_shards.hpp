#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "experiment/records/results.hpp"
#include "experiment/shards/shards.hpp"

namespace elmx {

/// What a run of one shard has left on the disk.
struct ShardFolder {
  std::filesystem::path path;
  ShardNumber number;
  Json experiment;                            ///< its experiment.json
  std::map<std::string, std::size_t> places;  ///< of its trials, as describe_shard has them
  std::set<std::string> all;                  ///< keys of all trials of the run
};

/// True if the folder has folders of shards in it.
bool has_shards(const std::filesystem::path& folder);

/// Of each folder itself where it is that of a shard, else the shards in it; by their numbers. Throws
/// DataError where one has none, or where the experiment.json of a shard is missing or damaged.
std::vector<ShardFolder> shards_in(const std::vector<std::filesystem::path>& folders);

/// The whole run that shards are parts of.
struct MergedShards {
  Json experiment;                 ///< as one machine's, and under "merged" where each shard was run
  std::vector<std::string> lines;  ///< of records.jsonl, in the plan's order, as the shards wrote them
  /// The folder of a shard and the name in it.
  std::vector<std::pair<std::filesystem::path, std::string>> networks;
  std::size_t failed = 0;  ///< trials
};

/// Puts shards together. Throws DataError with the first of what is wrong:
///
///     a shard of another config, other data, or another division into shards
///     a shard of another program or other BLAS kernels (last bits differ), unless `any_program`
///     a shard that is there twice, or missing, with the command that runs it
///     trials that are missing within a shard, with the command that goes on
///
/// and UserError(resume_refused) where a shard is still running.
MergedShards merge_shards(const std::vector<ShardFolder>& shards, bool any_program);

/// Writes what is merged into a folder that has nothing else, or a part of it. Networks are on the disk
/// before their records.
void write_merged(const MergedShards& merged, ResultsFolder& results);

}  // namespace elmx
