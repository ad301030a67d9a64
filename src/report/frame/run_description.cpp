#include "report/frame/run_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace elmx {
namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& found) {
  throw ConfigError(place,
                    found + ", but corrected_t needs k_fold or holdout with test_fraction; use --test wilcoxon or t");
}

/// Returns the first digits of the checksum of the first file.
std::string shown(const std::set<Json>& checksums) {
  const Json& first = *checksums.begin();
  const Json& file = first.is_array() && !first.empty() ? first[0] : first;
  return (file.is_string() ? file.get<std::string>() : file.dump()).substr(0, 12);
}

/// Returns the size of the test part over the size of the training part; `tested`: the recorded size of the
/// test part, 0 if unknown.
double ratio_of(const Json& split, const std::optional<double>& samples, double tested, const std::string& place) {
  const std::string kind = split.at("kind");
  if (kind != "k_fold" && kind != "holdout") refuse(place, "the split is of the kind \"" + kind + "\"");
  if (split.value("validate", false)) return 0.25;
  if (kind == "k_fold") return 1 / (split.at("folds").get<double>() - 1);
  if (split.contains("train_samples") || split.contains("test_samples"))
    refuse(place, "the holdout has test_samples or train_samples");
  // Samples are rounded to whole ones (of each class), so the recorded counts are preferred to the fraction.
  if (samples && tested > 0 && tested < *samples) return tested / (*samples - tested);
  const double fraction = split.at("test_fraction");
  return fraction / (1 - fraction);
}

/// Returns the number of samples of a row's data set; none if unknown or one file was read in several ways.
std::optional<double> samples_of(const RunDescription& run, const std::string& dataset) {
  const auto found = run.samples.find(dataset);
  if (found == run.samples.end() || run.samples.contains(dataset + " (2)")) return std::nullopt;
  return found->second;
}

/// Returns the sizes of the test parts of the trials of a row; 0 if no trial has recorded one.
std::set<double> tested_in(const RecordRow& row) {
  std::set<double> tested;
  for (const RecordedStep& step : row.steps) tested.insert(static_cast<double>(step.record->test_part.samples));
  if (tested.size() > 1) tested.erase(0);
  if (tested.empty()) tested.insert(0);
  return tested;
}

/// Places of a config that are names, or that the rows show.
constexpr std::array kShownByRows{"/name",  "/baseline",  "/save_model", "/expect",
                                  "/cases", "/data/path", "/data/set",   "/model/algorithms",
                                  "/paper", "/full",      "/model/nodes"};

/// Returns the data set as named in the records of a row, because a view may rename it.
const std::string& dataset_of(const RecordRow& row) {
  return row.steps.empty() ? row.dataset : row.steps[0].record->dataset;
}

/// Returns the options at the case, data set and swept values of a row.
std::vector<Json> options_of(const RunDescription& run, const RecordRow& row) {
  const std::string& dataset = dataset_of(row);
  std::vector<Json> found;
  for (const Json& one : run.resolved) {
    const auto point = one.value("point", std::map<std::string, Json>());
    const bool there = std::ranges::all_of(row.point, [&](const auto& of_row) {
      const auto at = point.find(of_row.first);
      return at != point.end() && at->second == of_row.second;
    });
    if (there && one.at("case") == row.experiment_case && one.value("dataset", dataset) == dataset)
      found.push_back(one.at("options"));
  }
  return found;
}

}  // namespace

RunDescription describe(const StoredRun& stored) {
  RunDescription run;
  run.path = stored.file();
  if (stored.experiment().is_null()) return run;
  try {
    run.resolved = stored.experiment().at("resolved");
    run.name = stored.experiment().value("/config/name"_json_pointer, "");
    const Json data = stored.experiment().value("data", Json::object());
    for (const auto& [name, set] : data.items()) {
      run.classes[name] = set.value("classes", std::vector<std::string>());
      if (set.contains("samples")) run.samples[name] = set["samples"];
    }
    for (const Json& one : run.resolved) {
      run.order.cases.push_back(one.at("case"));
      run.baselines[one.at("case")] = one.at("options").at("baseline");
      if (one.at("options").value("save_model", Json(false)) != Json(false))
        run.saving.insert(one.at("case").get<std::string>());
      run.targets[one.at("case")] = one.at("options").value("/preprocess/targets"_json_pointer, Json());
      read_options(one.at("options").value("select", Json::object()), "/select", run.select[one.at("case")]);
      if (one.contains("dataset")) run.data[one["dataset"]].insert(one.value("sha256", Json()));
      add_missing(run.order.algorithms, one.at("options").at("model").at("algorithms").get<std::vector<std::string>>());
    }
  } catch (const Json::exception& error) {
    throw DataError(run.path.string(), std::string("not a valid description of a run: ") + error.what());
  }
  return run;
}

std::vector<std::string> different_data(const RunDescription& a, const RunDescription& b) {
  std::vector<std::string> lines;
  for (const auto& [name, files] : a.data) {
    const auto other = b.data.find(name);
    if (other == b.data.end() || other->second == files) continue;
    lines.push_back("The data set " + name + " of A and that of B are not the same: SHA-256 " + shown(files) + " and " +
                    shown(other->second) + ".");
  }
  return lines;
}

double test_over_train(const RunDescription& run, const RecordRow& row) {
  std::set<double> ratios;
  for (const Json& options : options_of(run, row)) {
    if (!options.contains("split")) continue;
    try {
      for (const double tested : tested_in(row))
        ratios.insert(ratio_of(options["split"], samples_of(run, dataset_of(row)), tested, run.path.string()));
    } catch (const Json::exception& error) {
      throw DataError(run.path.string(), std::string("not a valid description of a run: ") + error.what());
    }
  }
  if (ratios.size() == 1) return *ratios.begin();
  refuse(run.path.string(),
         ratios.empty() ? "it is unknown how the samples were split" : "there are several kinds of splits");
}

std::map<std::string, std::string> differing_options(const RunDescription& a, const RecordRow& of_a,
                                                     const RunDescription& b, const RecordRow& of_b) {
  const std::vector<Json> first = options_of(a, of_a), second = options_of(b, of_b);
  std::map<std::string, std::string> texts;
  if (first.empty() || second.empty()) return texts;
  const Json one = first[0].flatten(), other = second[0].flatten();
  const auto shown = [](const Json& value) { return value.is_null() ? "nothing" : value.dump(); };
  for (const Json* options : {&one, &other}) {
    for (const auto& [place, value] : options->items()) {
      const Json in_a = one.value(place, Json()), in_b = other.value(place, Json());
      if (in_a != in_b) texts[place] = dotted(place) + " " + shown(in_a) + " and " + shown(in_b);
    }
  }
  return texts;
}

std::vector<std::string> different_options(const RunDescription& a, const RecordRow& of_a, const RunDescription& b,
                                           const RecordRow& of_b) {
  const std::map<std::string, std::string> differences = differing_options(a, of_a, b, of_b);
  const std::string family = "/model/family";
  const auto is_in_rows = [&](const std::string& place) {
    const auto begins = [&](const char* begin) { return place.starts_with(begin); };
    const auto swept = [&](const RecordRow& row) {
      return row.point.contains(place) || std::ranges::count(row.over, place) > 0;
    };
    return std::ranges::any_of(kShownByRows, begins) || swept(of_a) || swept(of_b) ||
           (differences.contains(family) && begins("/model/") && place != family);
  };
  std::vector<std::string> texts;
  for (const auto& [place, text] : differences) {
    if (!is_in_rows(place)) texts.push_back(text);
  }
  return texts;
}

}  // namespace elmx
