#include "experiment/records/record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/numbers.hpp"
#include "data/content/content.hpp"
#include "metrics/formulas.hpp"
#include "metrics/registry.hpp"

namespace elmx {
namespace {

constexpr std::array kStatuses{Status::ok,         Status::not_positive_definite,
                               Status::not_finite, Status::not_decreasing,
                               Status::all_pruned, Status::too_few_samples};

Status status_from(const std::string& text) {
  const auto found = std::ranges::find(kStatuses, text, [](Status status) { return to_string(status); });
  if (found == kStatuses.end()) throw DataError("unknown status \"" + text + "\"");
  return *found;
}

TrialStatus trial_status_from(std::string text) {
  if (text == "ok") return {};
  // "not_finite chol-2", "not_finite: why"
  const std::string word = text.substr(0, text.find_first_of(" :"));
  const bool of_solver =
      std::ranges::any_of(kStatuses, [&](Status one) { return one != Status::ok && to_string(one) == word; });
  const bool numeric = of_solver || text.ends_with(kNotFinite);
  return numeric ? TrialStatus::numeric(std::move(text)) : TrialStatus::other(std::move(text));
}

/// Returns the nodes of a step, and the iterations of an iterative algorithm.
Json place_of(const StepRecord& step) {
  Json place = {{"nodes", step.nodes}};
  if (step.iterations > 0) place["iterations"] = step.iterations;
  return place;
}

/// Reads a number; null stands for a number that is not finite, which JSON cannot represent.
double number_from(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

std::vector<double> series_from(const Json& values) {
  std::vector<double> series;
  for (const Json& value : values) series.push_back(number_from(value));
  return series;
}

StepRecord step_from(const Json& step, const Json& time) {
  StepRecord record{count_from(step.at("nodes")),
                    status_from(step.at("status")),
                    step.at("metrics"),
                    step.value("method", ""),
                    {time.at("step_mean"), time.at("step_sd"), count_from(time.at("step_n"))},
                    number_from(time.at("total")),
                    count_from(step.value("iterations", Json(0U))),
                    {}};
  const Json trace = step.value("trace", Json::object());
  for (const auto& [name, values] : trace.items()) record.trace[name] = series_from(values);
  if (step.contains("parameters")) record.parameters = step["parameters"].get<std::map<std::string, double>>();
  if (step.contains("notes")) record.notes = step["notes"].get<std::map<std::string, std::string>>();
  if (step.contains("confusion")) record.confusion = step["confusion"].get<std::vector<std::size_t>>();
  record.chosen = step.value("chosen", "");
  record.test_seconds = time.value("test", 0.0);
  if (time.contains("rounds")) record.step.rounds = time["rounds"].get<std::vector<double>>();
  return record;
}

constexpr std::size_t kDigits = 16;

std::string digest(std::string_view bytes) { return sha256(bytes).substr(0, kDigits); }

template <class T>
void append(const arma::Mat<T>& M, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(M.memptr()), M.n_elem * sizeof(T));
}

/// Numbers of the rows in the files.
arma::uvec numbers_of(const Dataset& data, const arma::uvec& rows) {
  return data.kept_rows.is_empty() ? rows : arma::uvec(data.kept_rows.elem(rows));
}

Json to_json(const TestPart& part) {
  Json json = {{"samples", part.samples}};
  Json targets = Json::array();
  for (const TestPart::Target& target : part.targets)
    targets.push_back({{"name", target.name}, {"mean", target.mean}, {"squares", target.squares}});
  if (targets.empty())
    json["positive"] = part.positive;
  else
    json["targets"] = std::move(targets);
  return json;
}

TestPart test_part_from_json(const Json& json) {
  TestPart part{count_from(json.at("samples")), count_from(json.value("positive", Json(1U)))};
  for (const Json& target : json.value("targets", Json::array()))
    part.targets.push_back({target.at("name"), target.at("mean"),
                            target.at("squares").is_number() ? target["squares"].get<double>() : nan});
  return part;
}

template <class T>
double half_the_digits() {
  return std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
}

}  // namespace

TrialKeys::TrialKeys(const CaseSpec& spec, const Dataset& data)
    : determined_{{"version", kComputedVersion}, {"config", spec.identity()}, {"sha256", data.sha256},
                  {"algorithm", nullptr},        {"repeat", nullptr},         {"fold", nullptr}} {}

std::string TrialKeys::of(const std::string& algorithm, std::size_t repeat, std::size_t fold) {
  determined_["algorithm"] = algorithm;
  determined_["repeat"] = repeat;
  determined_["fold"] = fold;
  return digest(determined_.dump());
}

SampleDigests sample_digests(const Dataset& data, const ExperimentOptions& options, const Fold& fold) {
  const Json content =
      data.sha256.empty() ? Json{{"data", options.data.identity()}, {"seed", options.seed}} : Json(data.sha256);
  std::string train, test;
  append(numbers_of(data, fold.train), train);
  append(numbers_of(data, fold.unlabelled), train);
  append(numbers_of(data, fold.test), test);
  if (data.task == Task::regression) {
    append(arma::mat(data.Y.rows(fold.test)), test);
  } else {
    append(arma::uvec(data.labels.elem(fold.test)), test);
    for (const std::string& name : data.classes) test += name + '\n';
  }
  train += std::to_string(fold.train.n_elem);  // the start of the unlabelled part
  return {digest(content.dump()), digest(train), digest(test)};
}

TestPart test_part_of(const Dataset& data, const Targets& targets, const arma::uvec& rows) {
  TestPart part{rows.n_elem, targets.positive()};
  if (data.task == Task::classification || data.Y.n_cols > kMostInDetail) return part;
  const arma::mat T = targets.in_scaled_units() ? targets.encode(rows) : arma::mat(data.Y.rows(rows));
  const std::vector<std::string> names = target_names(data.columns, T.n_cols);
  for (arma::uword j = 0; j < T.n_cols; ++j) {
    const double mean = arma::mean(T.col(j));
    const double squares = arma::accu(arma::square(T.col(j) - mean));
    part.targets.push_back({names[j], mean, std::isfinite(squares) ? squares : nan});  // JSON has no infinity
  }
  return part;
}

std::vector<std::size_t> confusion_of(const Dataset& data, const arma::uvec& rows, const arma::uvec& predicted) {
  if (data.classes.size() > kMostInDetail) return {};
  const arma::mat C = confusion_matrix(data.labels(rows), predicted, data.classes.size());
  return arma::conv_to<std::vector<std::size_t>>::from(arma::vectorise(C, 1));
}

std::optional<StepMerit> merit_of(const Record& record, const StepRecord& step, const std::string& metric) {
  const auto value = step.metrics.find(metric);
  if (value == step.metrics.end()) return std::nullopt;
  const auto ridge = record.point.find("/model/ridge");
  const bool swept = ridge != record.point.end() && ridge->second.is_number();
  const double sign = metric_named(metric).better == Better::higher ? 1 : -1;
  return StepMerit{sign * value->second, -static_cast<double>(step.nodes), swept ? ridge->second.get<double>() : 0};
}

Json description_of(const Record& record) {
  return {{"key", record.key},
          {"case", record.experiment_case},
          {"dataset", record.dataset},
          {"family", record.family},
          {"algorithm", record.algorithm},
          {"point", record.point},
          {"repeat", record.repeat},
          {"fold", record.fold}};
}

Json to_json(const Record& record) {
  Json steps = Json::array();
  Json times = Json::array();
  for (const StepRecord& step : record.steps) {
    Json result = place_of(step);
    result.update({{"status", to_string(step.status)}, {"metrics", step.metrics}});
    if (!step.parameters.empty()) result["parameters"] = step.parameters;
    if (!step.chosen.empty()) result["chosen"] = step.chosen;
    if (!step.method.empty()) result["method"] = step.method;
    if (!step.trace.empty()) result["trace"] = step.trace;
    if (!step.notes.empty()) result["notes"] = step.notes;
    if (!step.confusion.empty()) result["confusion"] = step.confusion;
    steps.push_back(std::move(result));
    Json time = place_of(step);
    time.update({{"step_mean", step.step.mean},
                 {"step_sd", step.step.sd},
                 {"step_n", step.step.n},
                 {"total", step.total_seconds}});
    if (step.test_seconds > 0) time["test"] = step.test_seconds;
    if (!step.step.rounds.empty()) time["rounds"] = step.step.rounds;
    times.push_back(std::move(time));
  }
  Json json = description_of(record);
  json.update({{"status", record.status.text()},
               {"steps", steps},
               {"timing", {{"features", record.feature_seconds}, {"steps", times}}}});
  if (!record.machine.empty()) json["timing"]["machine"] = record.machine;
  const SampleDigests& samples = record.samples;
  if (!samples.data.empty())
    json["samples"] = {{"data", samples.data}, {"train", samples.train}, {"test", samples.test}};
  if (record.test_part.samples > 0) json["test_part"] = to_json(record.test_part);
  return json;
}

Record record_from_json(const Json& json) {
  Record record;
  record.key = json.at("key");
  record.experiment_case = json.at("case");
  record.dataset = json.at("dataset");
  if (!json.contains("family"))
    throw DataError("no \"family\", as in records of earlier versions of elmx; run the experiment again");
  record.family = json["family"];
  record.algorithm = json.at("algorithm");
  record.point = json.at("point").get<std::map<std::string, Json>>();
  record.repeat = count_from(json.at("repeat"));
  record.fold = count_from(json.at("fold"));
  record.status = trial_status_from(json.at("status"));
  record.feature_seconds = json.at("timing").at("features");
  record.machine = json["timing"].value("machine", "");
  const Json& times = json["timing"].at("steps");
  for (std::size_t i = 0; i < json.at("steps").size(); ++i) {
    record.steps.push_back(step_from(json["steps"][i], times.at(i)));
  }
  if (json.contains("samples")) {
    const Json& samples = json["samples"];
    record.samples = {samples.at("data"), samples.at("train"), samples.at("test")};
  }
  if (json.contains("test_part")) record.test_part = test_part_from_json(json["test_part"]);
  return record;
}

std::filesystem::path records_file(const std::filesystem::path& folder) {
  const std::filesystem::path plain = folder / "records.jsonl", packed = folder / kPackedRecords;
  return !is_there(plain) && is_there(packed) ? packed : plain;
}

std::vector<std::string_view> whole_lines(std::string_view content) {
  std::vector<std::string_view> lines;
  for (std::size_t end = content.find('\n'); end != std::string_view::npos; end = content.find('\n')) {
    lines.push_back(content.substr(0, end));
    content.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<Record> read_records(const std::filesystem::path& folder) { return read_record_file(records_file(folder)); }

std::vector<Record> read_record_file(const std::filesystem::path& path) {
  std::string content = read_file(path);
  if (is_gzip(content)) content = gunzip(content, path.string());
  const std::vector<std::string_view> lines = whole_lines(content);
  std::vector<Record> records(lines.size());
  std::vector<std::string> errors(lines.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      records[i] = record_from_json(parse_json(std::string(lines[i]), "JSON"));
    } catch (const std::exception& error) {
      errors[i] = error.what();
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!errors[i].empty())
      throw DataError(path.string() + ":" + std::to_string(i + 1), "not a valid record: " + errors[i]);
  }
  return records;
}

SolutionErrors solution_errors(const std::vector<Record>& records, const std::vector<CaseSpec>& specs) {
  std::map<std::pair<std::string, std::map<std::string, Json>>, ModelPtr> models;  // by case and sweep point
  for (const CaseSpec& spec : specs) models.emplace(std::pair(spec.name, spec.point), spec.model);
  SolutionErrors errors;
  for (const Record& record : records) {
    const auto found = models.find({record.experiment_case, record.point});
    const ModelPtr model = found == models.end() ? nullptr : found->second;
    if (!(model ? model->solves_ridge_problem(record.algorithm)
                : algorithm_of(record.family, record.algorithm).ridge_solution))
      continue;
    const double bound = model && model->single_precision() ? half_the_digits<float>() : half_the_digits<double>();
    for (const StepRecord& step : record.steps) {
      const auto error = step.metrics.find("backward_error");
      if (step.status != Status::ok) {
        ++errors.failed;
      } else if (error == step.metrics.end()) {
        ++errors.unknown;
      } else {
        ++errors.solutions;
        errors.too_large += error->second > bound;
        errors.largest = std::max(errors.largest, error->second);
      }
    }
  }
  return errors;
}

}  // namespace elmx
