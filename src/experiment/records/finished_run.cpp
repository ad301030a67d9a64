#include "experiment/records/finished_run.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "data/load.hpp"
#include "experiment/records/choice_files.hpp"
#include "experiment/records/provenance.hpp"
#include "experiment/records/stored_run.hpp"

namespace elmx {
namespace {

bool is_there(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
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

}  // namespace

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

}  // namespace elmx
