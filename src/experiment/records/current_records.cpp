#include "experiment/records/current_records.hpp"

#include <algorithm>
#include <unordered_map>

namespace elmx {
namespace {

/// null where it is not there.
Json experiment_in(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "experiment.json";
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? read_json_file(file) : Json();
}

/// The resolved cases of an experiment.json.
Json cases_of(const Json& experiment) {
  return experiment.is_object() ? experiment.value("resolved", Json::array()) : Json::array();
}

bool lists_trials(const Json& one) { return one.is_object() && one.contains("trials"); }

/// null where the run is not of a shard.
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

/// Those of one case and sweep point.
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

std::vector<Record> current_records(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "experiment.json";
  const std::vector<Record> written = last_of_each(read_records(folder));
  const Json cases = cases_of(experiment_in(folder));
  if (!cases.is_array() || std::ranges::none_of(cases, lists_trials)) return written;
  std::unordered_map<std::string, const Record*> by_key;
  for (const Record& record : written) by_key[record.key] = &record;
  std::vector<Record> records;
  try {
    for (const Json& one : cases) append(one, by_key, records);
  } catch (const Json::exception& error) {
    throw DataError(file.string() + ": not the description of a run: " + error.what());
  }
  return records;
}

PlannedTrials planned_trials(const std::filesystem::path& folder) { return planned_trials_of(experiment_in(folder)); }

PlannedTrials planned_trials_of(const Json& experiment) {
  PlannedTrials planned;
  for (const Json& one : cases_of(experiment)) planned.all += lists_trials(one) ? one["trials"].size() : 0;
  planned.here = planned_keys(experiment).size();
  const Json shard = shard_of(experiment);
  if (lists_trials(shard))
    planned.part = "shard " + shard.value("number", Json()).dump() + " of " + shard.value("of", Json()).dump();
  return planned;
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
