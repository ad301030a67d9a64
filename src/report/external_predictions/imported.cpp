#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "metrics/registry.hpp"
#include "report/external_predictions/external_predictions.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostBytes = 100;

/// Case, data set, repeat and fold.
auto place_of(const Record& record) {
  return std::tuple(record.experiment_case, record.dataset, record.repeat, record.fold);
}

bool same_fold(const Record& imported, const Record& of_run) {
  const bool known = !imported.samples.data.empty() && !of_run.samples.data.empty();
  return (!known || imported.samples == of_run.samples) && std::ranges::all_of(imported.point, [&](const auto& place) {
           const auto found = of_run.point.find(place.first);
           return found != of_run.point.end() && found->second == place.second;
         });
}

}  // namespace

void refuse_wrong_name(const std::string& name, const Plan& plan) {
  const bool fits = !name.empty() && name.size() <= kMostBytes && printable(name) == name &&
                    name.find_first_of("/,=") == std::string::npos && name.find_first_of(".- ") != 0;
  if (!fits)
    throw ConfigError("--as",
                      fmt::format("invalid name \"{}\"; use a name of 1 to {} bytes without / , = that does not "
                                  "begin with . - or a blank",
                                  name, kMostBytes));
  for (const PlannedCase& c : plan.cases) {
    if (std::ranges::count(c.spec().model->algorithms, name) > 0)
      throw ConfigError("--as", "\"" + name + "\" is an algorithm of the run; choose another name");
  }
}

bool write_imported(const std::filesystem::path& folder, const std::string& name, const std::vector<Record>& records) {
  const std::string file = kImportedFolder + name + ".jsonl";
  const bool replaces = is_there(folder / file);
  std::string lines;
  for (const Record& record : records) lines += to_json(record).dump() + "\n";
  write_own_file(folder, file, lines);
  return replaces;
}

WithImported with_imported(std::vector<Record> records, const std::filesystem::path& folder) {
  WithImported all{std::move(records), {}};
  const std::vector<std::filesystem::path> files = entries_of(folder / kImportedFolder, ".jsonl");
  if (files.empty()) return all;
  std::multimap<decltype(place_of({})), std::size_t> of_run;
  for (std::size_t i = 0; i < all.records.size(); ++i) of_run.emplace(place_of(all.records[i]), i);
  for (const std::filesystem::path& file : files) {
    bool hidden = false;
    for (Record& record : read_record_file(file)) {
      const auto [first, last] = of_run.equal_range(place_of(record));
      const bool shown =
          std::any_of(first, last, [&](const auto& at) { return same_fold(record, all.records[at.second]); });
      if (shown) all.records.push_back(std::move(record));
      hidden = hidden || !shown;
    }
    if (hidden) all.hidden.push_back(file.stem().string());
  }
  return all;
}

}  // namespace elmx
