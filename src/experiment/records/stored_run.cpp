#include "experiment/records/stored_run.hpp"

#include <algorithm>
#include <array>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "data/load.hpp"
#include "models/stack/stack.hpp"

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

/// Appends the records of one case and sweep point.
void append(const Json& one, const RecordsByKey& written, std::vector<Record>& records) {
  const std::string name = one.at("case"), dataset = one.at("dataset");
  const auto point = one.at("point").get<std::map<std::string, Json>>();
  for (const Json& key : one.at("trials")) {
    const auto found = written.find(key.get<std::string>());
    if (found == written.end()) continue;
    Record& record = records.emplace_back(*found->second);
    record.experiment_case = name;
    record.dataset = dataset;
    record.point = point;
  }
}

/// Expectations are no part of a run: each command judges its own config.
Json without_expectations(Json config) {
  if (config.is_object()) config.erase("expect");
  return config;
}

bool is_same_program(const Json& earlier) {
  const Json now = describe_program();
  return changed_program(earlier, now).empty() && changed_build(earlier, now).empty();
}

/// Returns true if the data files have the checksums that they had for the run.
bool has_same_data(const Json& experiment, const std::filesystem::path& data_dir) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  for (const Json& one : experiment.at("resolved")) {
    const Json& data = one.at("options").at("data");
    if (!seen.insert(data.dump()).second) continue;
    DataOptions options;
    read_options(data, "/data", options);
    if (options.path == kStandardInput) return false;
    const auto then = one.at("sha256").get<std::vector<std::string>>();
    const std::vector<std::string> now = checksums_of_files(options, catalogue, data_dir);
    // the catalogue knows the checksum of each file of a set, so that no two of them can have been exchanged
    if (options.set.empty() ? now != then : !std::ranges::is_permutation(now, then)) return false;
  }
  return true;
}

bool has_models(const std::filesystem::path& folder, const Json& experiment) {
  const auto none = read_no_final_models(folder);
  return !lacks_own_file(folder, "models/") &&
         std::ranges::all_of(final_models_wanted(experiment),
                             [&](const auto& of) { return none.contains(of.first) || is_there(folder / of.second); });
}

/// Returns KEY for the name "models/NAME-KEY.h5", and "" for any other name.
std::string key_in(const std::string& name) {
  const std::string end = ".h5";
  const std::size_t before = name.rfind('-');
  if (!name.starts_with("models/") || !name.ends_with(end) || before == std::string::npos) return "";
  return name.substr(before + 1, name.size() - end.size() - before - 1);
}

}  // namespace

Json json_or_null(const std::filesystem::path& file) {
  try {
    return read_json_file(file);
  } catch (const UserError&) {
    return nullptr;
  }
}

StoredRun::StoredRun(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (is_there(file())) experiment_ = read_json_file(file());
}

StoredRun::StoredRun(std::filesystem::path folder, Json experiment)
    : folder_(std::move(folder)), experiment_(std::move(experiment)) {}

const Json& StoredRun::cases() const { return cases_of(experiment_); }

PlannedTrials StoredRun::planned() const {
  PlannedTrials planned;
  for (const Json& one : cases()) planned.all += lists_trials(one) ? one["trials"].size() : 0;
  planned.here = planned_keys(experiment_).size();
  planned.part = part_of(experiment_);
  return planned;
}

std::vector<Record> StoredRun::records() const {
  std::vector<Record> written = read_records(folder_);
  const RecordsByKey last = by_key(written);
  if (cases().is_array() && std::ranges::any_of(cases(), lists_trials)) return records(last);
  std::vector<Record> kept;
  for (Record& record : written) {
    if (last.at(record.key) == &record) kept.push_back(std::move(record));
  }
  return kept;
}

std::vector<Record> StoredRun::records(const RecordsByKey& written) const {
  std::vector<Record> records;
  try {
    for (const Json& one : cases()) append(one, written, records);
  } catch (const Json::exception& error) {
    throw DataError(file().string(), std::string("not a valid description of a run: ") + error.what());
  }
  return records;
}

std::string part_of(const Json& experiment) {
  const Json shard = shard_of(experiment);
  if (!lists_trials(shard)) return "";
  return "shard " + shard.value("number", Json()).dump() + " of " + shard.value("of", Json()).dump();
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

std::optional<FinishedRun> find_finished_run(const std::filesystem::path& folder, const Json& config,
                                             const std::filesystem::path& data_dir) {
  const bool files = std::ranges::all_of(std::array{"experiment.json", "records.jsonl", kDataFile},
                                         [&](const char* name) { return is_there(folder / name); });
  if (!files) return std::nullopt;
  try {
    FinishedRun found{StoredRun(folder), {}};
    const Json& experiment = found.run.experiment();
    if (!experiment.contains("ended") || experiment.contains("shard")) return std::nullopt;
    if (without_expectations(experiment.at("config")) != without_expectations(config)) return std::nullopt;
    if (!is_same_program(experiment)) return std::nullopt;
    found.records = found.run.records();
    const std::size_t planned = planned_keys(experiment).size();
    if (planned != experiment.value("trials", 0U) || found.records.size() != planned) return std::nullopt;
    if (!has_models(folder, experiment) || !has_same_data(experiment, data_dir)) return std::nullopt;
    return found;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const UserError&) {
    return std::nullopt;
  }
}

std::string final_model_name(const std::string& dataset) { return "models/final-" + file_name(dataset) + ".h5"; }

std::string predictions_name(const std::string& final_model) {
  if (final_model == kFinalModel) return kTestPredictions;
  return std::filesystem::path(final_model).replace_extension("csv").string();
}

std::map<std::string, std::string> final_models_wanted(const Json& experiment) {
  std::map<std::string, std::string> names;
  try {
    for (const Json& one : cases_of(experiment)) {
      const std::string set = one.at("dataset");
      if (one.at("options").value("save_model", Json(false)) != Json(false)) names[set] = final_model_name(set);
    }
  } catch (const Json::exception& error) {
    throw DataError("experiment.json", std::string("not a valid description of a run: ") + error.what());
  }
  if (names.size() == 1) names.begin()->second = kFinalModel;
  return names;
}

std::map<std::string, NoFinalModel> read_no_final_models(const std::filesystem::path& folder) {
  std::map<std::string, NoFinalModel> none;
  const Json sets = json_or_null(folder / kNoFinalModel);
  try {
    for (const auto& [set, reason] : sets.items()) none[set] = {reason.at("why"), reason.at("failed")};
  } catch (const Json::exception&) {
    return {};
  }
  return none;
}

void write_no_final_models(const std::filesystem::path& folder, const std::map<std::string, NoFinalModel>& none) {
  Json sets = Json::object();
  for (const auto& [set, reason] : none) sets[set] = {{"why", reason.why}, {"failed", reason.failed}};
  write_own_file(folder, kNoFinalModel, sets.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void ChoiceFiles::add(const Json& experiment) {
  const auto member = [](const Json& of, const char* place) {
    const Json::json_pointer there(place);
    return of.contains(there) ? of[there] : Json();
  };
  for (const Json& one : member(experiment, "/resolved")) {
    const Json set = member(one, "/dataset"), rule = member(one, "/options/select/by"), trials = member(one, "/trials");
    if (set.is_string()) final_.insert({final_model_name(set), predictions_name(final_model_name(set))});
    if (!rule.is_string() || rule == "none" || member(one, "/options/model/family") == kStackFamily) continue;
    for (const Json& key : trials) {
      if (key.is_string()) keys_.insert(key);
    }
  }
}

bool ChoiceFiles::contains(const std::string& name) const {
  return final_.contains(name) || keys_.contains(key_in(name));
}

}  // namespace elmx
