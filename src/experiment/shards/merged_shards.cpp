#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "base/config/json.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/saved/saved_model.hpp"
#include "experiment/shards/shards.hpp"
#include "models/stack/stack.hpp"

namespace elmx {
namespace {

bool is_shard_name(const std::string& name) {
  ShardNumber shard;
  return std::sscanf(name.c_str(), "shard-%zu-of-%zu", &shard.number, &shard.of) == 2 && name == folder_of_shard(shard);
}

std::vector<std::filesystem::path> shard_folders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found = entries_of(folder);
  std::erase_if(found, [](const std::filesystem::path& entry) {
    return !is_folder(entry) || !is_shard_name(entry.filename().string());
  });
  return found;
}

bool is_of_shard(const std::filesystem::path& folder) {
  return json_or_null(folder / "experiment.json").contains("shard");
}

/// Returns true if each trial of a resolved case keeps its network (CaseSpec::saves_every_network).
bool keeps_every_network(const Json& one) {
  const Json& options = one.at("options");
  const Json& select = options.at("select");
  return options.at("save_model") != false &&
         (options.at("model").at("family") == kStackFamily || select.at("by") == "none" || select.at("over").empty());
}

ShardFolder read_shard(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "experiment.json";
  if (!is_there(file))
    throw DataError(file.string(), "the file is missing; merge only folders of shards that have been started");
  ShardFolder shard{folder, {}, read_json_file(file), {}, {}, {}};
  try {
    const Json& of_shard = shard.experiment.at("shard");
    shard.number = {count_from(of_shard.at("number")), count_from(of_shard.at("of"))};
    if (shard.number.number < 1 || shard.number.number > shard.number.of || shard.number.of > kMostShards)
      throw DataError(fmt::format("{} cannot be; expected 1 to N of N, N at most {}", show(shard.number), kMostShards));
    shard.places = of_shard.at("trials").get<std::map<std::string, std::size_t>>();
    for (const Json& one : shard.experiment.at("resolved")) {
      const auto trials = one.at("trials").get<std::set<std::string>>();
      shard.all.insert(trials.begin(), trials.end());
      if (keeps_every_network(one)) shard.with_network.insert(trials.begin(), trials.end());
    }
    for (const auto& [key, place] : shard.places) {
      if (!shard.all.contains(key)) throw DataError("trial " + key + " does not belong to the run");
      if (place >= shard.all.size()) throw DataError(fmt::format("trial {} cannot have place {}", key, place));
    }
  } catch (const std::exception& error) {
    throw DataError(file.string(), std::string("not a valid description of a shard: ") + error.what());
  }
  return shard;
}

Json without_shard(Json experiment) {
  experiment.erase("shard");
  return experiment;
}

/// Returns the command that ran a shard: "cd FOLDER && elmx run ...".
std::string command_of(const ShardFolder& shard) {
  const std::string folder = text_in(shard.experiment, "/command/folder"),
                    line = text_in(shard.experiment, "/command/line");
  return line.empty() ? "elmx run" : (folder.empty() ? "" : "cd " + shell_word(folder) + " && ") + line;
}

/// Returns the command of a shard with another number, derived from the command of `shard`.
std::string command_of(const ShardFolder& shard, const std::string& number) {
  std::string command = command_of(shard);
  const std::string mine = fmt::format("{}/{}", shard.number.number, shard.number.of);
  for (const char* before : {"--shard ", "--shard="}) {
    const std::size_t at = command.find(before + mine);
    if (at == std::string::npos) continue;
    return command.replace(at + std::string(before).size(), mine.size(), fmt::format("{}/{}", number, shard.number.of));
  }
  return command;
}

void refuse_foreign_shard(const ShardFolder& first, const ShardFolder& other, bool any_program) {
  const auto refuse = [&](const std::string& why) {
    throw DataError(other.path.string(), "does not belong to the run of " + first.path.string() + ": " + why);
  };
  if (first.number.of != other.number.of)
    refuse(
        fmt::format("it is {}, not one of {}; merge only the shards of one run", show(other.number), first.number.of));
  const Json of_first = without_shard(first.experiment), of_other = without_shard(other.experiment);
  const std::string changed = what_changed(of_first, of_other);
  if (changed.empty()) return;
  if (!changed.starts_with("program: ")) refuse(changed + "; merge only shards of the same config and data");
  if (!any_program) refuse(changed + "; use --force to merge them anyway (last bits may differ)");
  if (of_first["resolved"] != of_other["resolved"])
    refuse(changed + ", and its trials have other keys; merge only shards of one program");
}

/// Throws DataError unless every trial of the run is in exactly one shard. A shard without trials may be
/// missing.
void refuse_doubled_or_missing(const std::vector<ShardFolder>& shards) {
  std::map<std::size_t, const ShardFolder*> known;
  std::set<std::string> owned;
  for (const ShardFolder& shard : shards) {
    const auto [there, is_new] = known.emplace(shard.number.number, &shard);
    if (!is_new)
      throw DataError(shard.path.string(), fmt::format("{} was already read from {}; name each shard once",
                                                       show(shard.number), there->second->path.string()));
    for (const auto& [key, place] : shard.places) {
      if (!owned.insert(key).second)
        throw DataError(shard.path.string(),
                        fmt::format("trial {} is also in another shard; merge only the shards of one run", key));
    }
  }
  const ShardFolder& first = shards.front();
  const std::string unowned = counted(first.all.size() - owned.size(), "trial");
  if (owned.size() == first.all.size()) return;
  std::vector<std::string> missing;  // the numbers of shards
  for (std::size_t i = 1; i <= first.number.of; ++i) {
    if (!known.contains(i)) missing.push_back(std::to_string(i));
  }
  if (missing.empty()) throw DataError(first.path.string(), fmt::format("no shard has {} of the run", unowned));
  throw DataError(fmt::format("missing shards with {}: {} of {}; to run the first of them: {}", unowned,
                              first_few(missing, 10), first.number.of, command_of(first, missing.front())));
}

/// Returns the last line of each trial by key.
std::map<std::string, WrittenTrial> trials_of(const ShardFolder& shard) {
  const std::string text = read_file(shard.path / "records.jsonl");
  const std::vector<std::string_view> lines = whole_lines(text);
  std::vector<Record> records = read_records(shard.path);
  std::map<std::string, WrittenTrial> trials;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!shard.places.contains(records[i].key)) continue;
    WrittenTrial& trial = trials[records[i].key];
    trial = {std::move(records[i]), std::string(lines[i])};
  }
  if (trials.size() < shard.places.size())
    throw DataError(shard.path.string(),
                    fmt::format("{} of {} trials are missing; to finish this shard: {}",
                                shard.places.size() - trials.size(), shard.places.size(), command_of(shard)));
  return trials;
}

/// Returns true if the shard has the network of a trial. Throws DataError if the network is lost.
bool has_file_of_network(const ShardFolder& shard, const Record& record) {
  const std::filesystem::path file = model_file(shard.path, record);
  const bool there = is_file(file);
  if (!there && has_network(record) && shard.with_network.contains(record.key))
    throw DataError(file.string(), fmt::format("the network of a finished trial is missing; to run the shard again: "
                                               "{} --force",
                                               command_of(shard)));
  return there;
}

/// Returns the experiment.json of the whole run, whose start is the earliest start of its shards.
Json merged_experiment(const std::vector<ShardFolder>& shards) {
  Json experiment = without_shard(shards.front().experiment);
  Json merged = Json::array();
  for (const ShardFolder& shard : shards) {
    const Json& its = shard.experiment;
    experiment["begun"] = std::min(text_in(experiment, "/begun"), text_in(its, "/begun"));
    Json one = {{"shard", shard.number.number}, {"of", shard.number.of}, {"trials", shard.places.size()}};
    for (const char* member : {"begun", "ended", "command", "machine", "elmx"}) {
      if (its.contains(member)) one[member] = its[member];
    }
    merged.push_back(std::move(one));
  }
  experiment["merged"] = merged;
  return experiment;
}

}  // namespace

bool has_shards(const std::filesystem::path& folder) { return !shard_folders_in(folder).empty(); }

std::vector<ShardFolder> shards_in(const std::vector<std::filesystem::path>& folders) {
  std::vector<ShardFolder> shards;
  for (const auto& folder : folders) {
    const auto paths = is_of_shard(folder) ? std::vector{folder} : shard_folders_in(folder);
    if (paths.empty())
      throw DataError(folder.string(), "no shards here; name a folder that elmx run --shard I/N -o has written");
    for (const auto& path : paths) shards.push_back(read_shard(path));
  }
  std::ranges::stable_sort(shards, {}, [](const ShardFolder& s) { return std::pair(s.number.of, s.number.number); });
  return shards;
}

MergedShards merge_shards(const std::vector<ShardFolder>& shards, bool any_program) {
  expects(!shards.empty(), "merge_shards: a shard");
  for (const ShardFolder& shard : shards) refuse_foreign_shard(shards.front(), shard, any_program);
  refuse_doubled_or_missing(shards);
  MergedShards merged;
  std::map<std::size_t, WrittenTrial> in_order;
  for (const ShardFolder& shard : shards) {
    const FolderLock not_running(shard.path);
    for (auto& [key, trial] : trials_of(shard)) {
      merged.failed += !trial.record.status.ok();
      if (has_file_of_network(shard, trial.record)) merged.networks.emplace_back(shard.path, model_name(trial.record));
      const std::size_t place = shard.places.at(key);
      if (!in_order.emplace(place, std::move(trial)).second)
        throw DataError((shard.path / "experiment.json").string(),
                        fmt::format("trial {} has place {}, as another trial has; run the shard again", key, place));
    }
  }
  for (auto& [place, trial] : in_order) merged.trials.push_back(std::move(trial));
  merged.experiment = merged_experiment(shards);
  return merged;
}

void write_merged(const MergedShards& merged, ResultsFolder& results) {
  std::vector<std::string> names;
  for (const auto& [folder, name] : merged.networks) names.push_back(name);
  claim_files(results.path(), names);
  for (const auto& [folder, name] : merged.networks) write_file(results.path() / name, read_file(folder / name));
  const RecordsByKey before = results.written();
  std::vector<std::string> keys;
  for (const WrittenTrial& trial : merged.trials) {
    keys.push_back(trial.record.key);
    const auto known = before.find(keys.back());
    if (known == before.end() || !known->second->status.ok()) results.append(trial.record, trial.line);
  }
  results.settle(keys);
}

}  // namespace elmx
