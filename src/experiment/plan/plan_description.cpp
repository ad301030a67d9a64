#include <algorithm>

#include "base/machine/clock.hpp"
#include "base/printable.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/stored_run.hpp"

namespace elmx {
namespace {

constexpr int kSchemaVersion = 1;

/// Returns the keys of the trials of spec number `s`, by repeat, fold and algorithm.
std::vector<std::string> keys_of_spec(const PlannedCase& c, std::size_t s) {
  std::vector<std::string> keys;
  for (std::size_t repeat = 0; repeat < c.folds.size(); ++repeat) {
    for (std::size_t fold = 0; fold < c.folds[repeat].size(); ++fold) {
      const std::span<const std::string> all = c.keys(repeat, fold);
      for (std::size_t i = s; i < all.size(); i += c.specs.size()) keys.push_back(all[i]);
    }
  }
  return keys;
}

/// The data sets by the names that tables have for them; readings of one file that differ are numbered.
Json describe_data(const Plan& plan) {
  Json data = Json::object();
  for (const PlannedCase& c : plan.cases) {
    const std::vector<std::string> lines = essence_of(*c.data);
    const Json set = {
        {"samples", c.data->samples()},
        {"inputs", c.data->dimension()},
        {"sha256", c.data->sha256},
        {"classes", c.data->classes},
        {"read", lines.front().substr(std::min(printable(c.data->name).size() + 2, lines.front().size()))},
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
    for (std::size_t s = 0; s < c.specs.size(); ++s) {
      Json options = c.specs[s].resolved();
      for (const char* key : {"cases", "paper", "full", "expect"}) options.erase(key);
      cases.push_back({{"case", c.specs[s].name},
                       {"point", c.specs[s].point},
                       {"dataset", c.data->name},
                       {"sha256", c.data->sha256},
                       {"options", options},
                       {"trials", keys_of_spec(c, s)}});
    }
  }
  Json experiment = describe_program();
  experiment.update(
      {{"schema", kSchemaVersion},
       {"command", {{"line", invocation.command}, {"folder", invocation.folder}, {"data", invocation.data_folder}}},
       {"begun", utc_now()},
       {"trials", plan.trials()},
       {"config", config},
       {"resolved", cases},
       {"data", describe_data(plan)}});
  return experiment;
}

Json describe_reading(const Plan& plan) {
  Json sets = Json::object();
  for (const PlannedCase& c : plan.cases)
    sets[c.data->name] = {{"sha256", c.data->sha256}, {"report", write_options(c.data->report)}};
  return sets;
}

}  // namespace elmx
