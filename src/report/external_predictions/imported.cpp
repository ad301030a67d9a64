#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/files/own_files.hpp"
#include "base/files/sha256.hpp"
#include "base/printable.hpp"
#include "metrics/registry.hpp"
#include "report/external_predictions/external_predictions.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostBytes = 100;

StepRecord step_of(const Dataset& data, const Targets& targets, const Fold& fold, const FoldPredictions& predictions) {
  StepRecord step;
  Measurements measured;
  if (data.task == Task::classification) {
    add_metrics_of_classes(data, targets, fold.test, predictions.classes, "test_", measured);
    step.confusion = confusion_of(data, fold.test, predictions.classes);
  } else {
    add_metrics_of_values(data, targets, fold.test, predictions.values, "test_", measured);
  }
  step.metrics = measured.values;
  step.notes = measured.notes;
  step.total_seconds = predictions.seconds;
  return step;
}

std::string key_of(const Record& record) {
  const Json determined = {{"imported", record.algorithm}, {"case", record.experiment_case},
                           {"dataset", record.dataset},    {"point", record.point},
                           {"repeat", record.repeat},      {"fold", record.fold}};
  return sha256(determined.dump()).substr(0, 16);
}

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
    if (std::ranges::count(c.spec().model->algorithms(), name) > 0)
      throw ConfigError("--as", "\"" + name + "\" is an algorithm of the run; choose another name");
  }
}

std::vector<Record> records_of(const std::string& name, const std::vector<FoldSet>& sets,
                               const std::vector<SetPredictions>& predictions) {
  std::vector<Record> records;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const FoldSet& set = sets[s];
    for (const FoldUse& use : set.uses) {
      for (std::size_t repeat = 0; repeat < set.folds.size(); ++repeat) {
        for (std::size_t fold = 0; fold < set.folds[repeat].size(); ++fold) {
          const Fold& rows = set.folds[repeat][fold];
          const Targets targets(*set.data, use.spec->options.preprocess.targets, rows.train);
          Record record;
          record.experiment_case = use.experiment_case;
          record.dataset = set.data->name;
          record.family = kImported;
          record.algorithm = name;
          record.point = use.point;
          record.repeat = repeat;
          record.fold = fold;
          record.samples = set.samples[repeat][fold];
          record.test_part = test_part_of(*set.data, targets, rows.test);
          record.steps = {step_of(*set.data, targets, rows, predictions[s][repeat][fold])};
          record.key = key_of(record);
          records.push_back(std::move(record));
        }
      }
    }
  }
  return records;
}

bool write_imported(const std::filesystem::path& folder, const std::string& name, const std::vector<Record>& records) {
  const std::string file = kImportedFolder + name + ".jsonl";
  std::error_code ignored;
  const bool replaces = std::filesystem::exists(folder / file, ignored);
  std::string lines;
  for (const Record& record : records) lines += to_json(record).dump() + "\n";
  write_own_file(folder, file, lines);
  return replaces;
}

WithImported with_imported(std::vector<Record> records, const std::filesystem::path& folder) {
  WithImported all{std::move(records), {}};
  std::set<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder / kImportedFolder, none)) {
    if (entry.path().extension() == ".jsonl") files.insert(entry.path());
  }
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
