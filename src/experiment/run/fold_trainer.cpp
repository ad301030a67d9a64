#include "experiment/run/fold_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "data/transforms/inputs.hpp"
#include "experiment/records/metrics_of_outputs.hpp"
#include "experiment/run/leave_one_out.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/run/stack_trainer.hpp"
#include "experiment/saved/updates.hpp"

namespace elmx {

/// The inputs of a fold as principal components.
struct Reduction {
  Components components;
  arma::mat X;
  double bytes() const { return 8.0 * static_cast<double>(X.n_elem + components.pca.V.n_elem); }
};

namespace {

/// The scaler of the inputs of a fold.
struct FittedInputs {
  Scaler scaler;
  double bytes() const { return 16.0 * static_cast<double>(scaler.dimension() + scaler.ranks.values().n_elem); }
};

constexpr std::size_t kMostLeftOut = 1000;

const PreprocessOptions& preprocess_of(const FoldTask& task) { return task.specs->front().options.preprocess; }

arma::uvec fitted_rows(const Fold& fold) { return arma::sort(arma::join_cols(fold.train, fold.unlabelled)); }

/// Returns the result of `make` for the samples and scaling of a task, shared by all tasks with the same
/// ones.
template <class T>
std::shared_ptr<const T> once_for_fold(const FoldTask& task, const std::string& name, const std::function<T()>& make) {
  if (task.shared == nullptr) return std::make_shared<const T>(make());
  const ExperimentOptions& options = task.specs->front().options;
  const Json key = {{name, task.data->sha256},
                    {"seed", options.seed},
                    {"data", write_options(options.data)},
                    {"split", options.split.identity()},
                    {"inputs", options.preprocess.inputs},
                    {"pca", write_options(options.preprocess.pca)},
                    {"repeat", task.repeat},
                    {"fold", task.fold_index}};
  return task.shared->get<T>(key.dump(), make);
}

std::shared_ptr<const FittedInputs> inputs_of(const FoldTask& task) {
  return once_for_fold<FittedInputs>(task, "fitted inputs", [&] {
    return FittedInputs{fit_inputs(*task.data, preprocess_of(task).inputs, fitted_rows(task.fold))};
  });
}

std::shared_ptr<const Reduction> reduction_of(const FoldTask& task, const Scaler& scaler) {
  if (!preprocess_of(task).pca.wanted()) return nullptr;
  return once_for_fold<Reduction>(task, "components", [&] {
    Components components = Components::fit(task.data->X, scaler, fitted_rows(task.fold), preprocess_of(task).pca);
    arma::mat X = components.apply(task.data->X);
    return Reduction{std::move(components), std::move(X)};
  });
}

/// Training samples, drawn at random and in ascending order, whose leave-one-out solutions networks keep.
arma::uvec left_out_of(const FoldTask& task) {
  if (!task.is_final || task.data->task != Task::regression || task.ranks->count() > 1) return {};
  const std::uint64_t seed = task.specs->front().options.seed;
  const std::vector<std::uint64_t> drawn = Rng(seed, Purpose::left_out).permutation(task.fold.train.n_elem);
  return arma::sort(arma::uvec(std::vector<arma::uword>(
      drawn.begin(), drawn.begin() + static_cast<long>(std::min<std::size_t>(kMostLeftOut, drawn.size())))));
}

bool is_updatable(const FoldTask& task) { return task.is_final && task.specs->front().options.save_model.updatable; }

/// Describes a trial and the checkpoint that a network belongs to.
Json describe_trial(const Record& record, const Checkpoint& point) {
  Json trial = description_of(record);
  trial["nodes"] = point.nodes;
  if (point.iterations > 0) trial["iterations"] = point.iterations;
  if (!point.parameters.empty()) trial["parameters"] = point.parameters;
  if (!point.chosen.empty()) trial["chosen"] = point.chosen;
  return trial;
}

std::unique_ptr<Trainer> trainer_of(const FoldTask& task, FoldView view) {
  const CaseSpec& spec = task.specs->front();
  std::vector<ModelPtr> models;
  for (const CaseSpec& one : *task.specs) models.push_back(one.model);
  const Rng rng(spec.options.seed, Purpose::layer, static_cast<std::uint32_t>(task.repeat),
                static_cast<std::uint32_t>(task.fold_index));
  return spec.family->prepare(models, std::move(view), rng);
}

/// An exception that ends a training at the requested checkpoint.
struct Reached {};

}  // namespace

FoldTrainer::FoldTrainer(const FoldTask& task, TrainingStates* states)
    : task_(task),
      data_(*task.data),
      scaler_(inputs_of(task)->scaler),
      reduction_(reduction_of(task, scaler_)),
      targets_(data_, preprocess_of(task).targets, task.fold.train),
      weights_(targets_.sample_weights(task.fold.train)),
      test_part_(test_part_of(data_, targets_, task.fold.test)) {
  if (reduction_) scaler_ = Scaler::fit("none", reduction_->X, task.fold.train);
  if (task.specs->front().members) {
    auto stack = std::make_unique<StackTrainer>(task, view(nullptr));
    stack_ = stack.get();
    trainer_ = std::move(stack);
  } else {
    trainer_ = trainer_of(task, view(states));
  }
}

FoldView FoldTrainer::view(TrainingStates* states) const {
  const InputRows X = reduction_ ? InputRows(reduction_->X) : data_.input_rows();
  const Fold& fold = task_.fold;
  const auto test_metrics = [this](const arma::mat& Z) {
    Measurements measured;
    add_metrics(data_, targets_, task_.fold.test, Z, "test_", measured);
    return measured.values;
  };
  return {{X, fold.train, scaler_},
          {X, fold.test, scaler_},
          targets_.encode(fold.train),
          {X, fold.unlabelled, scaler_},
          task_.shared,
          targets_.encode(fold.test),
          test_metrics,
          states,
          weights_,
          left_out_of(task_),
          task_.ranks,
          is_updatable(task_)};
}

StepRecord FoldTrainer::step(const Checkpoint& point) const {
  StepRecord step{point.nodes,         point.status,     {},          point.method,     point.step,
                  point.total_seconds, point.iterations, point.trace, point.parameters, point.chosen,
                  point.test_seconds,  point.notes};
  const bool finite =
      point.train_output.is_finite() && point.test_output.is_finite() && point.unlabelled_output.is_finite();
  if (step.status == Status::ok && !finite) step.status = Status::not_finite;
  for (auto& [name, values] : step.trace)  // JSON has no infinity
    std::ranges::replace_if(
        values, [](double value) { return std::isinf(value); }, arma::datum::nan);
  Measurements measured;
  for (const auto& [name, value] : point.diagnostics)
    measured.add(name, {value, std::isnan(value) ? "not a number" : ""});
  if (step.status == Status::ok) {
    const Fold& fold = task_.fold;
    const auto add = [&](const arma::uvec& rows, const arma::mat& Z, const std::string& prefix) {
      add_metrics(data_, targets_, rows, Z, prefix, measured, point.outputs_are_probabilities ? Z : arma::mat());
    };
    add(point.trained.is_empty() ? fold.train : arma::uvec(fold.train.elem(point.trained)), point.train_output,
        "train_");
    add(fold.test, point.test_output, "test_");
    add_leave_one_out(data_, targets_, fold.train, weights_, point, measured);
    if (!point.unlabelled_output.empty()) add(fold.unlabelled, point.unlabelled_output, "unlabelled_");
    if (data_.task == Task::classification)
      step.confusion = confusion_of(data_, fold.test, targets_.decode_labels(point.test_output));
  }
  step.metrics = std::move(measured.values);
  step.notes.merge(measured.notes);
  return step;
}

SavedModel FoldTrainer::model(const Record& record, const CaseSpec& spec, const Checkpoint& point) const {
  Json config = spec.resolved();
  for (const char* key : {"cases", "paper", "full"}) config.erase(key);
  SavedModel model{describe_trial(record, point),
                   std::move(config),
                   known_data(data_, targets_.outputs()),
                   {scaler_, reduction_ ? std::optional(reduction_->components) : std::nullopt, targets_.scaler()},
                   task_.fold,
                   point.network()};
  if (is_updatable(task_))
    model.training_rows = {arma::sort(row_digests(data_, task_.fold.train)), targets_.class_weights().t()};
  if (stack_ != nullptr) model.members = stack_->networks();
  return model;
}

std::string train_until(const FoldTrainer& trained, const std::string& algorithm, const std::optional<Size>& size,
                        Clock& clock, const Observer& reached) {
  std::string failure;
  try {
    trained.train(algorithm, clock, [&](const Checkpoint& point) {
      if (point.status != Status::ok) {
        failure = failure_of(point, point.status);
        return;
      }
      if (size && *size != Size{point.nodes, point.iterations}) return;
      reached(point);
      if (size && point.parameters.empty()) throw Reached{};
    });
  } catch (const Reached&) {
  }
  return failure;
}

std::string failure_of(const Checkpoint& point, Status status) {
  const auto cause = point.notes.find(kCause);
  return std::string(to_string(status)) + (point.method.empty() ? "" : " " + point.method) +
         (cause == point.notes.end() ? "" : ": " + cause->second);
}

NetworkAt network_at(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size,
                     Clock& clock) {
  broadcast_task(task, algorithm, size);
  const FoldTrainer trained(task, nullptr);
  const CaseSpec& spec = task.specs->front();
  const Record record = trial_record(task, spec, algorithm);
  NetworkAt found;
  found.failure = train_until(trained, algorithm, size, clock,
                              [&](const Checkpoint& point) { found.model = trained.model(record, spec, point); });
  return found;
}

}  // namespace elmx
