#include "experiment/provenance.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/machine.hpp"
#include "base/version.hpp"
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

/// The first place at which two lists of resolved cases differ: "case "small": /model/ridge: 0.1 there, 0.2 here".
std::string changed_cases(const Json& earlier, const Json& now) {
  const Json patch = Json::diff(earlier, now);
  if (patch.empty()) return "";
  const bool alike = earlier.is_array() && earlier.size() == now.size() && std::ranges::all_of(earlier, &Json::is_object);
  if (!alike) return "other cases or sweep points";
  const auto path = patch[0].at("path").get<std::string>();  // "/0/options/model/ridge"
  const Json& its_case = now[std::stoul(path.substr(1))];
  const std::string begin = "/options";
  const std::string inside = path.substr(path.find('/', 1));
  const auto name = its_case.at("case").get<std::string>();
  return (name.empty() ? "" : "case \"" + name + "\": ") + (inside.starts_with(begin) ? inside.substr(begin.size()) : inside) + ": " +
         there_and_here(earlier, now, Json::json_pointer(path));
}

}  // namespace

Json describe_experiment(const Json& config, const Plan& plan, const Invocation& invocation) {
  Json data = Json::object();
  for (const PlannedCase& c : plan.cases) {
    data[c.data->name] = {{"samples", c.data->X.n_rows}, {"inputs", c.data->X.n_cols}, {"sha256", c.data->sha256}, {"notes", c.data->notes}};
  }
  Json cases = Json::array();
  for (const PlannedCase& c : plan.cases) {
    for (const CaseSpec& spec : c.specs) {
      Json options = write_options(spec.options);
      for (const char* key : {"cases", "paper", "full", "expect"}) options.erase(key);
      cases.push_back({{"case", spec.name}, {"point", spec.point}, {"options", options}});
    }
  }
  return {{"schema", kSchemaVersion},
          {"elmx", {{"version", kVersion}, {"commit", kCommit}, {"compiler", kCompiler}, {"build", kBuildType}, {"sha256", program_sha256()}}},
          {"machine", {{"cpu", cpu_name()}, {"blas", blas_version()}, {"kernel", blas_kernel()}, {"threads", threads()}}},
          {"command", {{"line", invocation.command}, {"folder", invocation.folder}, {"data", invocation.data_folder}}},
          {"begun", utc_now()},
          {"units", plan.units()},
          {"config", config},
          {"resolved", cases},
          {"data", data}};
}

std::string changed_data(const Json& earlier, const Json& now) {
  const Json sets = now.value("data", Json::object());
  for (const auto& [name, set] : sets.items()) {
    const Json::json_pointer place = Json::json_pointer("/data") / name / "sha256";
    if (earlier.contains(place) && earlier[place] != set["sha256"]) {
      return "data: " + name + ": another content: SHA-256 " + there_and_here(earlier, now, place);
    }
  }
  return "";
}

std::string changed_program(const Json& earlier, const Json& now) {
  for (const char* member : {"/elmx/version", "/elmx/commit", "/elmx/compiler", "/elmx/build", "/elmx/sha256", "/machine/blas", "/machine/kernel"}) {
    const Json::json_pointer place(member);
    if (shown(earlier, place) != shown(now, place)) return "program: " + std::string(member).substr(1) + ": " + there_and_here(earlier, now, place);
  }
  return "";
}

std::string what_changed(const Json& earlier, const Json& now) {
  if (!earlier.is_object()) return "its experiment.json is not there or damaged";
  if (const std::string cases = changed_cases(earlier.value("resolved", Json()), now["resolved"]); !cases.empty()) return "config: " + cases;
  if (const std::string data = changed_data(earlier, now); !data.empty()) return data;
  return changed_program(earlier, now);
}

}  // namespace elmx
