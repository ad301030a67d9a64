#include "results/run_description.hpp"

#include <algorithm>
#include <array>

namespace elmx {
namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& found) {
  throw ConfigError(place + ": " + found +
                    "; allowed for corrected_t: k_fold, or holdout by test_fraction (else --test wilcoxon, t)");
}

/// The first digits of the first file.
std::string shown(const std::set<Json>& checksums) {
  const Json& first = *checksums.begin();
  const Json& file = first.is_array() && !first.empty() ? first[0] : first;
  return (file.is_string() ? file.get<std::string>() : file.dump()).substr(0, 12);
}

double ratio_of(const Json& split, const std::string& place) {
  const std::string kind = split.at("kind");
  if (kind != "k_fold" && kind != "holdout") refuse(place, "split kind \"" + kind + "\"");
  if (split.value("validate", false)) return 0.25;
  if (kind == "k_fold") return 1 / (split.at("folds").get<double>() - 1);
  if (split.contains("train_samples") || split.contains("test_samples"))
    refuse(place, "a holdout by numbers of samples");
  const double fraction = split.at("test_fraction");
  return fraction / (1 - fraction);
}

/// Places of a config that are names, or stand in the rows.
constexpr std::array kToldByRows{"/name",  "/baseline",  "/save_model", "/expect",
                                 "/cases", "/data/path", "/data/set",   "/model/algorithms",
                                 "/paper", "/full",      "/model/nodes"};

/// Of the cases and sweep points that the row is of: its case and data set, and the places that it has a
/// value of.
std::vector<Json> options_of(const RunDescription& run, const RecordRow& row) {
  std::vector<Json> found;
  for (const Json& one : run.resolved) {
    const auto point = one.value("point", std::map<std::string, Json>());
    const bool there = std::ranges::all_of(row.point, [&](const auto& of_row) {
      const auto at = point.find(of_row.first);
      return at != point.end() && at->second == of_row.second;
    });
    if (there && one.at("case") == row.experiment_case && one.value("dataset", row.dataset) == row.dataset)
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
    for (const auto& [name, set] : data.items()) run.classes[name] = set.value("classes", std::vector<std::string>());
    for (const Json& one : run.resolved) {
      run.order.cases.push_back(one.at("case"));
      run.baselines[one.at("case")] = one.at("options").at("baseline");
      run.targets[one.at("case")] = one.at("options").value("/preprocess/targets"_json_pointer, Json());
      read_options(one.at("options").value("select", Json::object()), "/select", run.select[one.at("case")]);
      if (one.contains("dataset")) run.data[one["dataset"]].insert(one.value("sha256", Json()));
      add_missing(run.order.algorithms, one.at("options").at("model").at("algorithms").get<std::vector<std::string>>());
    }
  } catch (const Json::exception& error) {
    throw DataError(run.path.string() + ": not the description of a run: " + error.what());
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
    if (options.contains("split")) ratios.insert(ratio_of(options["split"], run.path.string()));
  }
  if (ratios.size() == 1) return *ratios.begin();
  refuse(run.path.string(), ratios.empty() ? "does not say how the samples were split" : "several kinds of splits");
}

std::vector<std::string> different_options(const RunDescription& a, const RecordRow& of_a, const RunDescription& b,
                                           const RecordRow& of_b) {
  const std::vector<Json> first = options_of(a, of_a), second = options_of(b, of_b);
  if (first.empty() || second.empty()) return {};
  const Json one = first[0].flatten(), other = second[0].flatten();
  const std::string family = "/model/family";
  const bool families = one.value(family, Json()) != other.value(family, Json());
  const auto is_told = [&](const std::string& place) {
    const bool in_row = std::ranges::any_of(kToldByRows, [&](const char* begin) { return place.starts_with(begin); });
    const bool swept = std::ranges::any_of(std::array{&of_a, &of_b}, [&](const RecordRow* row) {
      return row->point.contains(place) || std::ranges::count(row->over, place) > 0;
    });
    return in_row || swept || (families && place.starts_with("/model/") && place != family);
  };
  std::map<std::string, std::pair<Json, Json>> values;
  for (const auto& [place, value] : one.items()) values[place].first = value;
  for (const auto& [place, value] : other.items()) values[place].second = value;
  std::vector<std::string> texts;
  for (const auto& [place, both] : values) {
    const auto shown = [](const Json& value) { return value.is_null() ? "nothing" : value.dump(); };
    if (both.first != both.second && !is_told(place))
      texts.push_back(place + " " + shown(both.first) + " and " + shown(both.second));
  }
  return texts;
}

std::string different_splits(const RunDescription& a, const RecordRow& of_a, const RunDescription& b,
                             const RecordRow& of_b) {
  const std::vector<Json> first = options_of(a, of_a), second = options_of(b, of_b);
  if (first.empty() || second.empty()) return "";
  std::string text;
  const auto compare = [&](const std::string& place) {
    const Json::json_pointer pointer(place);
    const Json nothing;
    const Json &one = first[0].contains(pointer) ? first[0][pointer] : nothing,
               &other = second[0].contains(pointer) ? second[0][pointer] : nothing;
    if (one != other) text += (text.empty() ? "" : ", ") + place + " " + one.dump() + " and " + other.dump();
  };
  compare("/seed");
  const Json split = first[0].value("split", Json::object());
  for (const auto& [name, value] : split.items()) compare("/split/" + name);
  return text;
}

}  // namespace elmx
