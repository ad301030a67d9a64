#include "experiment/records/stored_run.hpp"

#include <algorithm>
#include <unordered_map>

namespace elmx {
namespace {

/// The resolved cases of an experiment.json.
const Json& cases_of(const Json& experiment) {
  static const Json none = Json::array();
  return experiment.is_object() && experiment.contains("resolved") ? experiment["resolved"] : none;
}

bool lists_trials(const Json& one) { return one.is_object() && one.contains("trials"); }

/// Returns the shard of a run, or null if the run is not a shard.
Json shard_of(const Json& experiment) { return experiment.is_object() ? experiment.value("shard", Json()) : Json(); }

std::vector<Record> last_of_each(std::vector<Record> records) {
  std::unordered_map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < records.size(); ++i) last[records[i].key] = i;
  std::vector<Record> kept;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (last.at(records[i].key) == i) kept.push_back(std::move(records[i]));
  }
  return kept;
}

/// Appends the records of one case and sweep point.
void append(const Json& one, const std::unordered_map<std::string, const Record*>& by_key,
            std::vector<Record>& records) {
  const std::string name = one.at("case"), dataset = one.at("dataset");
  const auto point = one.at("point").get<std::map<std::string, Json>>();
  for (const Json& key : one.at("trials")) {
    const auto found = by_key.find(key.get<std::string>());
    if (found == by_key.end()) continue;
    Record& record = records.emplace_back(*found->second);
    record.experiment_case = name;
    record.dataset = dataset;
    record.point = point;
  }
}

}  // namespace

StoredRun::StoredRun(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code ignored;
  if (std::filesystem::exists(file(), ignored)) experiment_ = read_json_file(file());
}

StoredRun::StoredRun(std::filesystem::path folder, Json experiment)
    : folder_(std::move(folder)), experiment_(std::move(experiment)) {}

const Json& StoredRun::cases() const { return cases_of(experiment_); }

PlannedTrials StoredRun::planned() const {
  PlannedTrials planned;
  for (const Json& one : cases()) planned.all += lists_trials(one) ? one["trials"].size() : 0;
  planned.here = planned_keys(experiment_).size();
  const Json shard = shard_of(experiment_);
  if (lists_trials(shard))
    planned.part = "shard " + shard.value("number", Json()).dump() + " of " + shard.value("of", Json()).dump();
  return planned;
}

std::vector<Record> StoredRun::records() const {
  const std::vector<Record> written = last_of_each(read_records(folder_));
  if (!cases().is_array() || std::ranges::none_of(cases(), lists_trials)) return written;
  std::unordered_map<std::string, const Record*> by_key;
  for (const Record& record : written) by_key[record.key] = &record;
  std::vector<Record> records;
  try {
    for (const Json& one : cases()) append(one, by_key, records);
  } catch (const Json::exception& error) {
    throw DataError(file().string(), std::string("not a valid description of a run: ") + error.what());
  }
  return records;
}

std::vector<std::string> planned_keys(const Json& experiment) {
  const Json shard = shard_of(experiment);
  std::vector<std::string> keys;
  for (const Json& one : cases_of(experiment)) {
    if (!lists_trials(one)) continue;
    for (const Json& key : one["trials"]) {
      if (!key.is_string()) continue;
      auto text = key.get<std::string>();
      if (!lists_trials(shard) || shard["trials"].contains(text)) keys.push_back(std::move(text));
    }
  }
  return keys;
}

}  // namespace elmx
