#include "experiment/run_unit.hpp"

#include <cmath>
#include <optional>

#include "base/fsio.hpp"
#include "experiment/leave_one_out.hpp"
#include "experiment/saved_model.hpp"
#include "experiment/unit_in_hand.hpp"
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

/// The inputs of a fold in principal components, computed once for all sweep points that have it.
struct Reduction {
  Components components;
  arma::mat X;
  double bytes() const { return 8.0 * static_cast<double>(X.n_elem + components.V.n_elem); }
};

std::shared_ptr<const Reduction> reduction_of(const FoldTask& task, const Scaler& scaler, const arma::uvec& fitted) {
  const ExperimentOptions& options = task.specs->front().options;
  const auto make = [&]() -> Reduction {
    Components components = Components::fit(task.data->X, scaler, fitted, options.preprocess.pca);
    arma::mat X = components.apply(task.data->X);
    return {std::move(components), std::move(X)};
  };
  if (task.shared == nullptr) return std::make_shared<const Reduction>(make());
  const Json key = {{"components", task.data->sha256},
                    {"seed", options.seed},
                    {"data", write_options(options.data)},
                    {"split", write_options(options.split)},
                    {"inputs", options.preprocess.inputs},
                    {"pca", write_options(options.preprocess.pca)},
                    {"repeat", task.repeat},
                    {"fold", task.fold_index}};
  return task.shared->get<Reduction>(key.dump(), make);
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

Record unit_record(const FoldTask& task, const CaseSpec& spec, const std::string& algorithm) {
  return {unit_key(spec, *task.data, algorithm, task.repeat, task.fold_index), spec.name, task.data->name, algorithm, spec.point,
          task.repeat, task.fold_index, "ok", 0, {}};
}

void run_task(const FoldTask& task, Clock& clock, const std::function<bool()>& stopped, const std::function<void(Record)>& emit) {
  const CaseSpec& spec = task.specs->front();
  const Dataset& data = *task.data;

  // Everything that is fitted to data is fitted on the training part; the inputs of unlabelled samples belong to it.
  const PreprocessOptions& preprocess = spec.options.preprocess;
  const arma::uvec fitted = arma::sort(arma::join_cols(task.fold.train, task.fold.unlabelled));
  Scaler scaler = Scaler::fit(preprocess.inputs, data.X, fitted);
  const auto reduction = preprocess.pca.wanted() ? reduction_of(task, scaler, fitted) : nullptr;
  const arma::mat& X = reduction ? reduction->X : data.X;
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
                keep_states ? &states : nullptr,
                targets.sample_weights(task.fold.train)};
  const arma::vec weights = view.sample_weights;
  std::vector<Json> prepared;
  for (const CaseSpec& one : *task.specs) prepared.push_back(one.options.model);
  const auto comparison = spec.family->prepare(prepared, std::move(view), rng);

  for (const std::string& algorithm : task.algorithms) {
    if (stopped()) return;
    std::vector<Record> records;
    for (const CaseSpec& one : *task.specs) records.push_back(unit_record(task, one, algorithm));
    const UnitInHand in_hand(records.front().key);
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
          add_leave_one_out(data, targets, task.fold.train, weights, point, step.metrics);
          if (!point.unlabelled_output.empty()) {
            add_metrics(data, targets, task.fold.unlabelled, point.unlabelled_output, "unlabelled_", step.metrics);
          }
        } else {
          record.status = std::string(to_string(step.status)) + (step.method.empty() ? "" : " " + step.method);
        }
        if (keep_networks && step.status == Status::ok) {
          models[point.point] = SavedModel{describe_unit(record, point), config_of(task.specs->at(point.point)), known_data(data, targets.outputs()),
                                           {scaler, reduction ? std::optional(reduction->components) : std::nullopt, targets.scaler()}, task.fold, point.network()};
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
