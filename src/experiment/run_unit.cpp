#include "experiment/run_unit.hpp"

#include <cmath>
#include <optional>

#include "base/fsio.hpp"
#include "experiment/saved_model.hpp"
#include "experiment/unit_states.hpp"
#include "metrics/of_outputs.hpp"

namespace elmx {
namespace {

constexpr int kRecordVersion = 1;  // of what a unit computes: part of its key

StepRecord to_step(const Checkpoint& point) {
  StepRecord step{point.nodes,         point.status,     point.ledger, point.method,     point.step,
                  point.total_seconds, point.iterations, point.trace,  point.parameters, point.chosen,
                  point.test_seconds};
  const bool finite = point.train_output.is_finite() && point.test_output.is_finite() && point.unlabelled_output.is_finite();
  if (point.status == Status::ok && !finite) step.status = Status::not_finite;
  return step;
}

/// What a unit was, and which of its checkpoints the network is of.
Json describe_unit(const Record& record, const Checkpoint& point) {
  Json unit = {{"key", record.key},     {"case", record.experiment_case}, {"dataset", record.dataset}, {"algorithm", record.algorithm},
               {"point", record.point}, {"repeat", record.repeat},        {"fold", record.fold},       {"nodes", point.nodes}};
  if (point.iterations > 0) unit["iterations"] = point.iterations;
  if (!point.parameters.empty()) unit["parameters"] = point.parameters;
  if (!point.chosen.empty()) unit["chosen"] = point.chosen;
  return unit;
}

Json config_of(const CaseSpec& spec) {
  Json config = write_options(spec.options);
  for (const char* key : {"cases", "paper", "full"}) config.erase(key);
  return config;
}

}  // namespace

std::string unit_key(const CaseSpec& spec, const Dataset& data, const std::string& algorithm, arma::uword repeat, arma::uword fold) {
  const Json determined = {{"version", kRecordVersion}, {"config", spec.identity()}, {"sha256", data.sha256},
                           {"algorithm", algorithm},    {"repeat", repeat},          {"fold", fold}};
  return sha256(determined.dump()).substr(0, 16);
}

void run_task(const FoldTask& task, Clock& clock, const std::function<bool()>& stopped, const std::function<void(Record)>& emit) {
  const CaseSpec& spec = task.specs->front();
  const Dataset& data = *task.data;

  // Everything that is fitted to data is fitted on the training part; the inputs of unlabelled samples belong to it.
  const PreprocessOptions& preprocess = spec.options.preprocess;
  const arma::uvec fitted = arma::sort(arma::join_cols(task.fold.train, task.fold.unlabelled));
  Scaler scaler = Scaler::fit(preprocess.inputs, data.X, fitted);
  std::optional<Components> reduction;
  if (preprocess.pca.wanted()) reduction = Components::fit(data.X, scaler, fitted, preprocess.pca);
  const arma::mat components = reduction ? reduction->apply(data.X) : arma::mat();
  const arma::mat& X = reduction ? components : data.X;
  if (reduction) scaler = Scaler::fit("none", X, fitted);
  const Targets targets(data, preprocess.targets, task.fold.train);
  const Rng rng(spec.options.seed, Purpose::layer, static_cast<std::uint32_t>(task.repeat), static_cast<std::uint32_t>(task.fold_index));
  UnitStates states(task.states, stopped);
  const bool keep_states = !task.states.empty() && task.specs->size() == 1;
  FoldView view{{X, task.fold.train, scaler},
                {X, task.fold.test, scaler},
                targets.encode(task.fold.train),
                {X, task.fold.unlabelled, scaler},
                task.shared,
                targets.encode(task.fold.test),
                [&](const arma::mat& Z) {
                  std::map<std::string, double> metrics;
                  add_metrics(data, targets, task.fold.test, Z, "test_", metrics);
                  return metrics;
                },
                keep_states ? &states : nullptr};
  std::vector<Json> prepared;
  for (const CaseSpec& one : *task.specs) prepared.push_back(one.options.model);
  const auto comparison = spec.family->prepare(prepared, std::move(view), rng);

  for (const std::string& algorithm : task.algorithms) {
    if (stopped()) return;
    std::vector<Record> records;
    for (const CaseSpec& one : *task.specs) {
      records.push_back({unit_key(one, data, algorithm, task.repeat, task.fold_index), one.name, data.name, algorithm, one.point,
                         task.repeat, task.fold_index, "ok", 0, {}});
    }
    states.begin(records.front());
    const bool keep_networks = spec.options.save_model && !task.results.empty();
    std::vector<std::optional<SavedModel>> models(records.size());
    std::string failure;
    try {
      comparison->run(algorithm, clock, [&](const Checkpoint& point) {
        Record& record = records.at(point.point);
        record.feature_seconds = point.feature_seconds;
        StepRecord step = to_step(point);
        if (step.status == Status::ok) {
          add_metrics(data, targets, task.fold.train, point.train_output, "train_", step.metrics);
          add_metrics(data, targets, task.fold.test, point.test_output, "test_", step.metrics);
          if (!point.unlabelled_output.empty()) {
            add_metrics(data, targets, task.fold.unlabelled, point.unlabelled_output, "unlabelled_", step.metrics);
          }
        } else {
          record.status = std::string(to_string(step.status)) + (step.method.empty() ? "" : " " + step.method);
        }
        if (keep_networks && step.status == Status::ok) {
          models[point.point] = SavedModel{describe_unit(record, point), config_of(task.specs->at(point.point)), known_data(data, targets.outputs()),
                                           {scaler, reduction, targets.scaler()}, task.fold, point.network()};
        }
        std::erase_if(step.metrics, [](const auto& entry) { return !std::isfinite(entry.second); });
        record.steps.push_back(std::move(step));
      });
    } catch (const Interrupted&) {
      return;
    } catch (const std::bad_alloc&) {
      failure = "out of memory";
    } catch (const std::exception& error) {
      failure = error.what();
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      Record& record = records[i];
      if (!failure.empty()) record.status = failure;
      if (models[i]) write_model(model_file(task.results, record), *models[i]);
      const std::string key = record.key;
      emit(std::move(record));
      if (keep_states) states.end(key);
    }
  }
}

}  // namespace elmx
