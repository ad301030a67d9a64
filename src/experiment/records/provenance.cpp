#include "experiment/records/provenance.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/files/files.hpp"
#include "base/machine/clock.hpp"
#include "base/machine/machine.hpp"
#include "base/version.hpp"
#include "experiment/records/record.hpp"
#include "experiment/records/stored_run.hpp"
#include "linalg/blas.hpp"
#include "models/stack/stack.hpp"

namespace elmx {
namespace {

std::string shown(const Json& json, const Json::json_pointer& place) {
  const std::string text = json.contains(place) ? json[place].dump() : "nothing";
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

std::string there_and_here(const Json& earlier, const Json& now, const Json::json_pointer& place) {
  return shown(earlier, place) + " there, " + shown(now, place) + " here";
}

/// The members of a resolved case that are not part of the config.
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

/// The first place at which two lists of resolved cases differ: "case "small": model.ridge: 0.1 there, 0.2
/// here".
std::string changed_cases(const Json& earlier_cases, const Json& cases) {
  const Json earlier = configs_of(earlier_cases), now = configs_of(cases);
  const Json patch = Json::diff(earlier, now);
  if (patch.empty()) return "";
  const bool alike =
      earlier.is_array() && earlier.size() == now.size() && std::ranges::all_of(earlier, &Json::is_object);
  if (!alike) return "the cases or sweep points differ";
  const auto path = patch[0].at("path").get<std::string>();  // "/0/options/model/ridge"
  const Json& its_case = now[std::stoul(path.substr(1))];
  const std::string begin = "/options";
  const std::string inside = path.substr(path.find('/', 1));
  const auto name = its_case.at("case").get<std::string>();
  return (name.empty() ? "" : "case \"" + name + "\": ") +
         dotted(inside.starts_with(begin) ? inside.substr(begin.size()) : inside) + ": " +
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

/// Returns ", file 2" and the place of its checksum for two lists of equal length that differ there;
/// otherwise "" and the place of the whole list.
std::pair<std::string, Json::json_pointer> different_file(const Json& earlier, const Json& now) {
  const Json::json_pointer all("/sha256");
  if (!earlier.is_array() || !now.is_array() || earlier.size() != now.size()) return {"", all};
  std::size_t i = 0;
  while (i + 1 < now.size() && earlier[i] == now[i]) ++i;
  return {now.size() > 1 ? ", file " + std::to_string(i + 1) : "", all / i};
}

std::vector<Json> resolved_cases(const Json& experiment) {
  std::vector<Json> cases;
  const Json resolved = experiment.is_object() ? experiment.value("resolved", Json()) : Json();
  std::ranges::copy_if(resolved, std::back_inserter(cases), &Json::is_object);
  return cases;
}

/// Describes the difference between the shards of two experiments, or returns "".
std::string changed_shard(const Json& earlier, const Json& now) {
  const Json there = earlier.value("shard", Json()), here = now.value("shard", Json());
  if (there == here) return "";
  const auto shown_shard = [](const Json& shard) {
    return shard.is_object()
               ? "shard " + shown(shard, "/number"_json_pointer) + " of " + shown(shard, "/of"_json_pointer)
               : std::string("all trials");
  };
  const std::string of_there = shown_shard(there), of_here = shown_shard(here);
  return "shard: " +
         (of_there == of_here ? of_here + ": its trials differ" : of_there + " there, " + of_here + " here");
}

/// The first of the members in which two programs or machines differ.
std::string changed_member(std::initializer_list<const char*> members, const Json& earlier, const Json& now) {
  for (const char* member : members) {
    const Json::json_pointer place(member);
    if (shown(earlier, place) != shown(now, place))
      return "program: " + std::string(member).substr(1) + ": " + there_and_here(earlier, now, place);
  }
  return "";
}

/// Returns the value at a place, or null if there is none.
Json at_place(const Json& json, const Json::json_pointer& place) { return json.contains(place) ? json[place] : Json(); }

/// Returns the options of a resolved case that determine the results of its trials. "data" comes last,
/// because file names may change without changing the results.
Json determining_options(const Json& resolved_case) {
  Json kept;
  for (const char* member : {"seed", "split", "preprocess", "model", "data"})
    kept[member] = at_place(resolved_case, Json::json_pointer("/options") / member);
  if (kept["model"].is_object()) kept["model"].erase("algorithms");
  return kept;
}

/// Returns true if each element of `few` is in `many`.
bool is_part_of(const Json& few, const Json& many) {
  return std::ranges::all_of(few, [&](const Json& one) { return std::ranges::count(many, one) > 0; });
}

/// Returns the network sizes that "nodes" of a model reports; empty if it is not a list of sizes.
Json reported_sizes(const Json& nodes) {
  if (nodes.is_array()) return nodes;
  if (!nodes.is_object()) return Json::array();
  const Json report = nodes.value("report", Json::array());
  return report.empty() ? Json::array({at_place(nodes, Json::json_pointer("/start")),
                                       at_place(nodes, Json::json_pointer("/stop"))})
                        : report;
}

/// The options without the sizes that are reported.
Json without_sizes(Json options) {
  const Json::json_pointer place("/model/nodes");
  if (!options.contains(place)) return options;
  Json& nodes = options[place];
  if (nodes.is_array()) nodes = Json();
  if (nodes.is_object()) nodes = at_place(nodes, Json::json_pointer("/start"));
  return options;
}

/// The cases of a run by everything that determines their results but the sizes that are reported.
class CasesBySizes {
 public:
  explicit CasesBySizes(const Json& run) {
    for (const Json& one : resolved_cases(run)) cases_[key_of(one)].push_back(extent_of(one));
  }

  /// Returns true if some case has the trials of an earlier case, all else being equal, with more sizes.
  bool only_add_to(const Json& earlier) const {
    const auto found = cases_.find(key_of(earlier));
    const Extent before = extent_of(earlier);
    return found != cases_.end() && !before.sizes.empty() && std::ranges::any_of(found->second, [&](const Extent& one) {
             return one.repeats >= before.repeats && is_part_of(before.algorithms, one.algorithms) &&
                    is_part_of(before.sizes, one.sizes);
           });
  }

 private:
  struct Extent {
    Json repeats, algorithms, sizes;
  };

  static Extent extent_of(const Json& one) {
    return {at_place(one, Json::json_pointer("/options/repeats")),
            at_place(one, Json::json_pointer("/options/model/algorithms")),
            reported_sizes(at_place(one, Json::json_pointer("/options/model/nodes")))};
  }

  static std::string key_of(const Json& one) {
    return Json{one.value("case", Json()), one.value("sha256", Json()), without_sizes(determining_options(one))}.dump();
  }

  std::map<std::string, std::vector<Extent>> cases_;
};

/// Returns the place at which the config of `now` has lost trials of an earlier case, as in "case "small":
/// model.ridge: 0.1 there, 0.2 here", or "" if the case has not changed.
std::string changed_case(const Json& earlier, const Json& now) {
  const Json name = earlier.value("case", Json());
  const std::string begin = name.is_string() && name != "" ? "case " + name.dump() + ": " : "";
  std::vector<Json> alike = resolved_cases(now);
  const auto has_none = [&](const Json::json_pointer& place, const Json& value) {
    std::erase_if(alike, [&](const Json& one) { return at_place(one, place) != value; });
    return alike.empty();
  };
  const auto has_no_point = [&](const std::string& place, const Json& value) {
    std::erase_if(alike, [&](const Json& one) {
      // an option that is not swept any more has its value among the options
      const Json& point = one.at("point");
      return value != (point.contains(place) ? point[place] : at_place(one, Json::json_pointer("/options" + place)));
    });
    return alike.empty();
  };
  const auto gone = [&](const std::string& place, const Json& value) {
    return begin + dotted(place) + ": " + value.dump() + " there, not here";
  };
  if (has_none(Json::json_pointer("/case"), name)) return "cases: " + name.dump() + " there, not here";
  const Json set = earlier.value("dataset", Json());
  if (has_none(Json::json_pointer("/dataset"), set)) return gone("/data", set);
  const Json point = earlier.value("point", Json::object());
  for (const auto& [place, value] : point.items()) {
    if (has_no_point(place, value)) return gone(place, value);
  }
  const auto changed = [&](const Json& there, const Json& here, const Json::json_pointer& place) {
    return begin + dotted(place.to_string()) + ": " + there_and_here(there, here, place);
  };
  const Json there = determining_options(earlier), here = determining_options(alike.front());
  const Json patch = Json::diff(there, here);
  if (!patch.empty()) return changed(there, here, Json::json_pointer(patch[0].at("path").get<std::string>()));
  const Json::json_pointer repeats("/repeats"), algorithms("/model/algorithms");
  const Json &all_there = earlier.at("options"), &all_here = alike.front().at("options");
  if (at_place(all_here, repeats) < at_place(all_there, repeats)) return changed(all_there, all_here, repeats);
  const bool all_run = is_part_of(at_place(all_there, algorithms), at_place(all_here, algorithms));
  return all_run ? "" : changed(all_there, all_here, algorithms);
}

/// Returns true if a case is a stack in both runs. Its trials depend on trials of other cases and run again
/// with them.
bool is_stack_of_both(const Json& earlier_case, const Json& now) {
  const auto is_it = [&](const Json& one) {
    return one.value("case", Json()) == earlier_case.value("case", Json()) &&
           at_place(one, Json::json_pointer("/options/model/family")) == kStackFamily;
  };
  const std::vector<Json> cases = resolved_cases(now);
  return is_it(earlier_case) && std::ranges::any_of(cases, is_it);
}

/// Returns the reason why recorded trials of `earlier` are not in the plan of `now`; "" if all are, or if
/// only sizes were added.
std::string lost_trials(const Json& earlier, const Json& now, const std::set<std::string>& recorded) {
  const std::vector<std::string> keys = planned_keys(now);
  const std::set<std::string> planned(keys.begin(), keys.end());
  const auto is_lost = [&](const std::string& key) { return recorded.contains(key) && !planned.contains(key); };
  const bool knows_trials = !planned_keys(earlier).empty();  // an earlier elmx did not list them
  if (!knows_trials && std::ranges::any_of(recorded, is_lost)) {
    const std::string changed = what_changed(earlier, now);
    return changed.empty() ? "trials: their keys differ" : changed;
  }
  const CasesBySizes cases(now);
  for (const Json& one : resolved_cases(earlier)) {
    const Json trials = one.value("trials", Json::array());
    const bool lost = std::ranges::any_of(trials, [&](const Json& key) { return is_lost(key.get<std::string>()); });
    if (!lost || cases.only_add_to(one) || is_stack_of_both(one, now)) continue;
    if (const std::string config = changed_case(one, now); !config.empty()) return "config: " + config;
    for (const std::string& other :
         {changed_data(earlier, now), changed_program(earlier, now), changed_shard(earlier, now)}) {
      if (!other.empty()) return other;
    }
    return "trials: their keys differ";
  }
  return "";
}

}  // namespace

Json describe_program() {
  static const std::string checksum = BlocksOfFile("/proc/self/exe").sha256();
  return {
      {"elmx",
       {{"version", kVersion},
        {"commit", kCommit},
        {"compiler", kCompiler},
        {"build", kBuildType},
        {"computed", kComputedVersion},
        {"sha256", checksum}}},
      {"machine", {{"cpu", cpu_name()}, {"blas", blas_version()}, {"kernel", blas_kernel()}, {"threads", threads()}}}};
}

std::string changed_data(const Json& earlier, const Json& now) {
  std::map<Json, Json> known;
  for (const Json& one : resolved_cases(earlier)) known.try_emplace(files_of(one), one.value("sha256", Json()));
  for (const Json& one : resolved_cases(now)) {
    const auto there = known.find(files_of(one));
    if (there == known.end() || there->second.is_null() || there->second == one.value("sha256", Json())) continue;
    const Json one_there = {{"sha256", there->second}};
    const auto [file, place] = different_file(there->second, one.value("sha256", Json()));
    return "data: " + one.value("dataset", "") + file + ": different content: SHA-256 " +
           there_and_here(one_there, one, place);
  }
  return "";
}

std::string changed_program(const Json& earlier, const Json& now) {
  const Json::json_pointer version("/elmx/computed");
  const bool versions = earlier.contains(version) && now.contains(version);
  const std::string program = versions ? changed_member({"/elmx/computed"}, earlier, now) : changed_build(earlier, now);
  return program.empty() ? changed_member({"/machine/blas", "/machine/kernel"}, earlier, now) : program;
}

std::string changed_build(const Json& earlier, const Json& now) {
  return changed_member({"/elmx/version", "/elmx/commit", "/elmx/compiler", "/elmx/build", "/elmx/sha256"}, earlier,
                        now);
}

std::string resume_conflict(const Json& earlier, const Json& now, const std::set<std::string>& recorded) {
  const std::string damaged = "its experiment.json is missing or damaged";
  if (!earlier.is_object()) return damaged;
  try {
    const std::string lost = lost_trials(earlier, now, recorded);
    return lost.empty() ? changed_program(earlier, now) : lost;
  } catch (const Json::exception&) {
    return damaged;
  }
}

std::string what_changed(const Json& earlier, const Json& now) {
  if (!earlier.is_object()) return "its experiment.json is missing or damaged";
  if (const std::string cases = changed_cases(earlier.value("resolved", Json()), now["resolved"]); !cases.empty())
    return "config: " + cases;
  if (const std::string data = changed_data(earlier, now); !data.empty()) return data;
  if (const std::string program = changed_program(earlier, now); !program.empty()) return program;
  if (earlier["resolved"] != now["resolved"]) return "trials: their keys or names differ";
  return changed_shard(earlier, now);
}

}  // namespace elmx
