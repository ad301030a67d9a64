#include <algorithm>
#include <array>
#include <map>

#include "base/files/files.hpp"
#include "base/machine/clock.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "experiment/records/record.hpp"
#include "experiment/records/stored_run.hpp"
#include "linalg/blas.hpp"
#include "models/stack/stack.hpp"

namespace elmx {
namespace {

constexpr const char* kDamaged = "its experiment.json is missing or damaged";
constexpr const char* kOtherKeys = "trials: their keys differ";

using Place = Json::json_pointer;

/// Returns the value at a place, or null if there is none.
Json at_place(const Json& json, const Place& place) { return json.contains(place) ? json[place] : Json(); }

std::string shown(const Json& json, const Place& place) {
  return json.contains(place) ? printable(json[place].dump(), 60) : "nothing";
}

std::string there_and_here(const Json& earlier, const Json& now, const Place& place) {
  return shown(earlier, place) + " there, " + shown(now, place) + " here";
}

/// The resolved cases of an experiment.json.
using Cases = std::vector<const Json*>;

Cases cases_in(const Json& experiment) {
  Cases cases;
  if (!experiment.is_object() || !experiment.contains("resolved")) return cases;
  for (const Json& one : experiment["resolved"]) {
    if (one.is_object()) cases.push_back(&one);
  }
  return cases;
}

/// Returns true if two resolved cases come from the same config.
bool same_config(const Json* one, const Json* other) {
  return std::ranges::all_of(std::array{"case", "point", "options"}, [&](const char* member) {
    return one->value(member, Json()) == other->value(member, Json());
  });
}

/// The data set of a resolved case by its files as the config writes them.
Json files_of(const Json& resolved_case) {
  Json files = Json::array();
  for (const char* member :
       {"set", "path", "batch_paths", "test_path", "labels_path", "test_labels_path", "class_names_path"})
    files.push_back(at_place(resolved_case, Place("/options/data") / member));
  return files;
}

/// Describes the difference between the shards of two experiments, or returns "".
std::string changed_shard(const Json& earlier, const Json& now) {
  if (earlier.value("shard", Json()) == now.value("shard", Json())) return "";
  const auto name = [](const std::string& part) { return part.empty() ? "all trials" : part; };
  return name(part_of(earlier)) + " there, " + name(part_of(now)) + " here";
}

/// The first of the members in which two programs or machines differ.
std::string changed_member(std::initializer_list<const char*> members, const Json& earlier, const Json& now) {
  for (const char* member : members) {
    const Place place(member);
    if (shown(earlier, place) != shown(now, place))
      return "program: " + std::string(member).substr(1) + ": " + there_and_here(earlier, now, place);
  }
  return "";
}

/// Returns the options of a resolved case that determine the results of its trials. "data" comes last,
/// because file names may change without changing the results.
Json determining_options(const Json& resolved_case) {
  Json kept = Json::object();
  for (const char* member : {"seed", "split", "preprocess", "model", "data"})
    kept[member] = at_place(resolved_case, Place("/options") / member);
  if (kept["model"].is_object()) kept["model"].erase("algorithms");
  return kept;
}

/// Returns true if each element of `few` is in `many`.
bool is_part_of(const Json& few, const Json& many) {
  return std::ranges::all_of(few, [&](const Json& one) { return std::ranges::count(many, one) > 0; });
}

/// Removes the network sizes that "nodes" of a model reports from the options of a case, and returns them;
/// empty if it is not a list of sizes.
Json take_sizes(Json& options) {
  const Place place("/model/nodes");
  if (!options.contains(place)) return Json::array();
  const Json nodes = options[place];
  if (nodes.is_array()) options[place] = Json();
  if (!nodes.is_object()) return nodes.is_array() ? nodes : Json::array();
  options[place] = nodes.value("start", Json());
  const Json report = nodes.value("report", Json::array());
  return report.empty() ? Json::array({options[place], nodes.value("stop", Json())}) : report;
}

/// Returns true if a case has the trials of an earlier case, all else being equal, with more network sizes.
bool only_adds_sizes(const Json& earlier, const Json& now) {
  Json before = determining_options(earlier), after = determining_options(now);
  const Json sizes_before = take_sizes(before), sizes_after = take_sizes(after);
  const Place repeats("/options/repeats"), algorithms("/options/model/algorithms");
  return before == after && earlier.value("sha256", Json()) == now.value("sha256", Json()) && !sizes_before.empty() &&
         is_part_of(sizes_before, sizes_after) && at_place(now, repeats) >= at_place(earlier, repeats) &&
         is_part_of(at_place(earlier, algorithms), at_place(now, algorithms));
}

/// Returns the place at which the config of `now` has lost trials of an earlier case, as in "case "small":
/// model.ridge: 0.1 there, 0.2 here", or "" if the case has not changed.
std::string changed_case(const Json& earlier, Cases now) {
  const Json name = earlier.value("case", Json()), set = earlier.value("dataset", Json());
  const std::string begin = name.is_string() && name != "" ? "case " + name.dump() + ": " : "";
  const auto has_none = [&](const Place& place, const Json& value) {
    std::erase_if(now, [&](const Json* one) { return at_place(*one, place) != value; });
    return now.empty();
  };
  if (has_none(Place("/case"), name)) return "cases: " + name.dump() + " there, not here";
  if (has_none(Place("/dataset"), set)) return begin + "data: " + set.dump() + " there, not here";
  const Json point = earlier.value("point", Json::object());
  for (const auto& [place, value] : point.items()) {
    const Place option("/options" + place);
    if (has_none(option, at_place(earlier, option)))
      return begin + dotted(place) + ": " + value.dump() + " there, not here";
  }
  const auto changed = [&](const Json& there, const Json& here, const Place& place) {
    return begin + dotted(place.to_string()) + ": " + there_and_here(there, here, place);
  };
  const Json there = determining_options(earlier), here = determining_options(*now.front());
  const Json patch = Json::diff(there, here);
  if (!patch.empty()) return changed(there, here, Place(patch[0].at("path").get<std::string>()));
  const Place repeats("/repeats"), algorithms("/model/algorithms");
  const Json &all_there = earlier.at("options"), &all_here = now.front()->at("options");
  if (at_place(all_here, repeats) < at_place(all_there, repeats)) return changed(all_there, all_here, repeats);
  const bool all_run = is_part_of(at_place(all_there, algorithms), at_place(all_here, algorithms));
  return all_run ? "" : changed(all_there, all_here, algorithms);
}

/// Describes the first difference between the configs of two experiments, or returns "".
std::string changed_config(const Json& earlier, const Json& now) {
  const Cases there = cases_in(earlier), here = cases_in(now);
  const auto [first, other] = std::ranges::mismatch(there, here, same_config);
  if (first == there.end() && other == here.end()) return "";
  const std::string changed = first == there.end() ? "" : changed_case(**first, here);
  return "config: " + (changed.empty() ? "the cases, sweep points or other options differ" : changed);
}

/// Returns true if a case is a stack in both runs. Its trials depend on trials of other cases and run again
/// with them.
bool is_stack_of_both(const Json& earlier_case, const Cases& now) {
  const auto is_it = [&](const Json* one) {
    return one->value("case", Json()) == earlier_case.value("case", Json()) &&
           at_place(*one, Place("/options/model/family")) == kStackFamily;
  };
  return is_it(&earlier_case) && std::ranges::any_of(now, is_it);
}

/// Returns the reason why recorded trials of `earlier` are not in the plan of `now`; "" if all are, or if
/// only sizes were added.
std::string lost_trials(const Json& earlier, const Json& now, const std::set<std::string>& recorded) {
  const std::vector<std::string> keys = planned_keys(now);
  const std::set<std::string> planned(keys.begin(), keys.end());
  const auto is_lost = [&](const std::string& key) { return recorded.contains(key) && !planned.contains(key); };
  if (planned_keys(earlier).empty() && std::ranges::any_of(recorded, is_lost)) return kOtherKeys;
  const Cases there = cases_in(earlier), here = cases_in(now);
  for (std::size_t i = 0; i < there.size(); ++i) {
    const Json& one = *there[i];
    const Json trials = one.value("trials", Json::array());
    const bool lost = std::ranges::any_of(trials, [&](const Json& key) { return is_lost(key.get<std::string>()); });
    if (!lost || (i < here.size() && only_adds_sizes(one, *here[i])) || is_stack_of_both(one, here)) continue;
    const std::string config = changed_case(one, here);
    for (const std::string& changed : {config.empty() ? "" : "config: " + config, changed_data(earlier, now),
                                       changed_program(earlier, now), changed_shard(earlier, now)}) {
      if (!changed.empty()) return changed;
    }
    return kOtherKeys;
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
  for (const Json* one : cases_in(earlier)) known.try_emplace(files_of(*one), one->value("sha256", Json()));
  for (const Json* one : cases_in(now)) {
    const auto there = known.find(files_of(*one));
    if (there == known.end() || there->second.is_null() || there->second == one->value("sha256", Json())) continue;
    return "data: " + one->value("dataset", "") + ": its files have other content (their SHA-256 differs)";
  }
  return "";
}

std::string changed_program(const Json& earlier, const Json& now) {
  return changed_member({"/elmx/computed", "/machine/blas", "/machine/kernel"}, earlier, now);
}

std::string changed_build(const Json& earlier, const Json& now) {
  return changed_member({"/elmx/version", "/elmx/commit", "/elmx/compiler", "/elmx/build", "/elmx/sha256"}, earlier,
                        now);
}

std::string resume_conflict(const Json& earlier, const Json& now, const std::set<std::string>& recorded) {
  if (!earlier.is_object()) return kDamaged;
  try {
    const std::string lost = lost_trials(earlier, now, recorded);
    return lost.empty() ? changed_program(earlier, now) : lost;
  } catch (const Json::exception&) {
    return kDamaged;
  }
}

std::string what_changed(const Json& earlier, const Json& now) {
  if (!earlier.is_object()) return kDamaged;
  for (const std::string& changed :
       {changed_config(earlier, now), changed_data(earlier, now), changed_program(earlier, now)}) {
    if (!changed.empty()) return changed;
  }
  if (earlier.value("resolved", Json()) != now.at("resolved")) return kOtherKeys;
  return changed_shard(earlier, now);
}

}  // namespace elmx
