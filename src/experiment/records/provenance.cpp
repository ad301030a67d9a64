#include "experiment/records/provenance.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/machine/clock.hpp"
#include "base/machine/machine.hpp"
#include "base/version.hpp"
#include "data/table/essence.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr int kSchemaVersion = 1;

std::string shown(const Json& json, const Json::json_pointer& place) {
  const std::string text = json.contains(place) ? json[place].dump() : "nothing";
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

std::string there_and_here(const Json& earlier, const Json& now, const Json::json_pointer& place) {
  return shown(earlier, place) + " there, " + shown(now, place) + " here";
}

/// What a resolved case says besides the config.
constexpr std::array kNotOfConfig{"dataset", "sha256", "trials"};

/// The resolved cases as the config makes them.
Json configs_of(Json resolved) {
  if (!resolved.is_array()) return resolved;
  for (Json& one : resolved) {
    for (const char* member : kNotOfConfig) {
      if (one.is_object()) one.erase(member);
    }
  }
  return resolved;
}

/// The first place at which two lists of resolved cases differ: "case "small": /model/ridge: 0.1 there, 0.2
/// here".
std::string changed_cases(const Json& earlier_cases, const Json& cases) {
  const Json earlier = configs_of(earlier_cases), now = configs_of(cases);
  const Json patch = Json::diff(earlier, now);
  if (patch.empty()) return "";
  const bool alike =
      earlier.is_array() && earlier.size() == now.size() && std::ranges::all_of(earlier, &Json::is_object);
  if (!alike) return "other cases or sweep points";
  const auto path = patch[0].at("path").get<std::string>();  // "/0/options/model/ridge"
  const Json& its_case = now[std::stoul(path.substr(1))];
  const std::string begin = "/options";
  const std::string inside = path.substr(path.find('/', 1));
  const auto name = its_case.at("case").get<std::string>();
  return (name.empty() ? "" : "case \"" + name + "\": ") +
         (inside.starts_with(begin) ? inside.substr(begin.size()) : inside) + ": " +
         there_and_here(earlier, now, Json::json_pointer(path));
}

/// The data set of a resolved case by its files as the config writes them.
Json files_of(const Json& resolved_case) {
  Json files;
  for (const char* member :
       {"set", "path", "batch_paths", "test_path", "labels_path", "test_labels_path", "class_names_path"}) {
    const Json::json_pointer place = Json::json_pointer("/options/data") / member;
    files.push_back(resolved_case.contains(place) ? resolved_case[place] : Json());
  }
  return files;
}

/// Their checksums; where a case does not have them (an older elmx), those under its name. null: not said.
Json checksums_of(const Json& experiment, const Json& resolved_case) {
  if (resolved_case.is_object() && resolved_case.contains("sha256")) return resolved_case["sha256"];
  const Json files = files_of(resolved_case);
  const Json& named = files[0].is_string() && files[0] != "" ? files[0] : files[1];
  const std::string name = named.is_string() ? std::filesystem::path(named.get<std::string>()).filename().string() : "";
  const Json::json_pointer place = Json::json_pointer("/data") / name / "sha256";
  return experiment.contains(place) ? experiment[place] : Json();
}

/// ", file 2" and the place of its checksum, of two lists as long that differ there; else that of all.
std::pair<std::string, Json::json_pointer> different_file(const Json& earlier, const Json& now) {
  const Json::json_pointer all("/sha256");
  if (!earlier.is_array() || !now.is_array() || earlier.size() != now.size()) return {"", all};
  std::size_t i = 0;
  while (i + 1 < now.size() && earlier[i] == now[i]) ++i;
  return {now.size() > 1 ? ", file " + std::to_string(i + 1) : "", all / i};
}

std::vector<Json> resolved_cases(const Json& experiment) {
  const Json cases = experiment.is_object() ? experiment.value("resolved", Json()) : Json();
  return cases.is_array() ? std::vector<Json>(cases.begin(), cases.end()) : std::vector<Json>();
}

/// Which part of the trials two descriptions are of.
std::string changed_shard(const Json& earlier, const Json& now) {
  const Json there = earlier.value("shard", Json()), here = now.value("shard", Json());
  if (there == here) return "";
  const auto shown_shard = [](const Json& shard) {
    return shard.is_object()
               ? "shard " + shown(shard, "/number"_json_pointer) + " of " + shown(shard, "/of"_json_pointer)
               : std::string("all trials");
  };
  const std::string of_there = shown_shard(there), of_here = shown_shard(here);
  return "shard: " + (of_there == of_here ? of_here + ": other trials" : of_there + " there, " + of_here + " here");
}

/// Keys of the trials of a case and sweep point, by repeat, fold and algorithm.
std::vector<std::string> keys_of(const PlannedCase& c, const CaseSpec& spec) {
  std::vector<std::string> keys;
  for (std::size_t repeat = 0; repeat < c.folds.size(); ++repeat) {
    for (std::size_t fold = 0; fold < c.folds[repeat].size(); ++fold) {
      for (const std::string& algorithm : spec.model->algorithms())
        keys.push_back(trial_key(spec, *c.data, algorithm, repeat, fold));
    }
  }
  return keys;
}

/// The data sets by the names that tables have for them; readings of one file that differ are numbered.
Json describe_data(const Plan& plan) {
  Json data = Json::object();
  for (const PlannedCase& c : plan.cases) {
    const std::vector<std::string> lines = essence_of(*c.data);
    const Json set = {{"samples", c.data->samples()},
                      {"inputs", c.data->dimension()},
                      {"sha256", c.data->sha256},
                      {"read", lines.front().substr(std::min(lines.front().find(": ") + 2, lines.front().size()))},
                      {"notes", std::vector<std::string>(lines.begin() + 1, lines.end())}};
    std::string name = c.data->name;
    for (int i = 2; data.contains(name) && data[name] != set; ++i) name = c.data->name + " (" + std::to_string(i) + ")";
    data[name] = set;
  }
  return data;
}

}  // namespace

Json describe_experiment(const Json& config, const Plan& plan, const Invocation& invocation) {
  Json cases = Json::array();
  for (const PlannedCase& c : plan.cases) {
    for (const CaseSpec& spec : c.specs) {
      Json options = spec.resolved();
      for (const char* key : {"cases", "paper", "full", "expect"}) options.erase(key);
      cases.push_back({{"case", spec.name},
                       {"point", spec.point},
                       {"dataset", c.data->name},
                       {"sha256", c.data->sha256},
                       {"options", options},
                       {"trials", keys_of(c, spec)}});
    }
  }
  return {
      {"schema", kSchemaVersion},
      {"elmx",
       {{"version", kVersion},
        {"commit", kCommit},
        {"compiler", kCompiler},
        {"build", kBuildType},
        {"sha256", program_sha256()}}},
      {"machine", {{"cpu", cpu_name()}, {"blas", blas_version()}, {"kernel", blas_kernel()}, {"threads", threads()}}},
      {"command", {{"line", invocation.command}, {"folder", invocation.folder}, {"data", invocation.data_folder}}},
      {"begun", utc_now()},
      {"trials", plan.trials()},
      {"config", config},
      {"resolved", cases},
      {"data", describe_data(plan)}};
}

Json describe_reading(const Plan& plan) {
  Json sets = Json::object();
  for (const PlannedCase& c : plan.cases)
    sets[c.data->name] = {{"sha256", c.data->sha256}, {"report", write_options(c.data->report)}};
  return sets;
}

std::string changed_data(const Json& earlier, const Json& now) {
  std::map<Json, Json> known;
  for (const Json& one : resolved_cases(earlier)) known.try_emplace(files_of(one), checksums_of(earlier, one));
  for (const Json& one : resolved_cases(now)) {
    const auto there = known.find(files_of(one));
    if (there == known.end() || there->second.is_null() || there->second == one.value("sha256", Json())) continue;
    const Json one_there = {{"sha256", there->second}};
    const auto [file, place] = different_file(there->second, one.value("sha256", Json()));
    return "data: " + one.value("dataset", "") + file + ": another content: SHA-256 " +
           there_and_here(one_there, one, place);
  }
  return "";
}

std::string changed_program(const Json& earlier, const Json& now) {
  for (const char* member : {"/elmx/version", "/elmx/commit", "/elmx/compiler", "/elmx/build", "/elmx/sha256",
                             "/machine/blas", "/machine/kernel"}) {
    const Json::json_pointer place(member);
    if (shown(earlier, place) != shown(now, place))
      return "program: " + std::string(member).substr(1) + ": " + there_and_here(earlier, now, place);
  }
  return "";
}

std::string what_changed(const Json& earlier, const Json& now) {
  if (!earlier.is_object()) return "its experiment.json is not there or damaged";
  if (const std::string cases = changed_cases(earlier.value("resolved", Json()), now["resolved"]); !cases.empty())
    return "config: " + cases;
  if (const std::string data = changed_data(earlier, now); !data.empty()) return data;
  if (const std::string program = changed_program(earlier, now); !program.empty()) return program;
  if (earlier["resolved"] != now["resolved"]) return "trials: other keys or names";
  return changed_shard(earlier, now);
}

}  // namespace elmx
