#include "experiment/run/prepared_fold.hpp"

#include <algorithm>
#include <cmath>

#include "data/transforms/fit_inputs.hpp"
#include "experiment/run/leave_one_out.hpp"
#include "metrics/of_outputs.hpp"

namespace elmx {
namespace {

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
  if (!task.left_out || task.data->task != Task::regression || task.ranks->count() > 1) return {};
  const std::uint64_t seed = task.specs->front().options.seed;
  const std::vector<std::uint64_t> drawn = Rng(seed, Purpose::left_out).permutation(task.fold.train.n_elem);
  return arma::sort(arma::uvec(std::vector<arma::uword>(
      drawn.begin(), drawn.begin() + static_cast<long>(std::min<std::size_t>(kMostLeftOut, drawn.size())))));
}

/// Describes a trial and the checkpoint that a network belongs to.
Json describe_trial(const Record& record, const Checkpoint& point) {
  Json trial = description_of(record);
  trial["nodes"] = point.nodes;
  if (point.iterations > 0) trial["iterations"] = point.iterations;
  if (!point.parameters.empty()) trial["parameters"] = point.parameters;
  if (!point.chosen.empty()) trial["chosen"] = point.chosen;
  return trial;
}

}  // namespace

PreparedFold::PreparedFold(const FoldTask& task)
    : task_(task),
      data_(*task.data),
      scaler_(inputs_of(task)->scaler),
      reduction_(reduction_of(task, scaler_)),
      targets_(data_, preprocess_of(task).targets, task.fold.train),
      weights_(targets_.sample_weights(task.fold.train)),
      test_part_(test_part_of(data_, targets_, task.fold.test)) {
  if (reduction_) scaler_ = Scaler::fit("none", reduction_->X, task.fold.train);
}

FoldView PreparedFold::view(TrainingStates* states) const {
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
          task_.ranks};
}

StepRecord PreparedFold::step(const Checkpoint& point) const {
  StepRecord step{point.nodes,         point.status,     {},          point.method,     point.step,
                  point.total_seconds, point.iterations, point.trace, point.parameters, point.chosen,
                  point.test_seconds,  point.notes};
  const bool finite =
      point.train_output.is_finite() && point.test_output.is_finite() && point.unlabelled_output.is_finite();
  if (step.status == Status::ok && !finite) step.status = Status::not_finite;
  Measurements measured;
  for (const auto& [name, value] : point.diagnostics)
    measured.add(name, {value, std::isnan(value) ? "not a number" : ""});
  if (step.status == Status::ok) {
    const Fold& fold = task_.fold;
    const auto add = [&](const arma::uvec& rows, const arma::mat& Z, const std::string& prefix) {
      add_metrics(data_, targets_, rows, Z, prefix, measured, point.outputs_are_probabilities ? Z : arma::mat());
    };
    add(fold.train, point.train_output, "train_");
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

SavedModel PreparedFold::model(const Record& record, const CaseSpec& spec, const Checkpoint& point) const {
  Json config = spec.resolved();
  for (const char* key : {"cases", "paper", "full"}) config.erase(key);
  return {describe_trial(record, point),
          std::move(config),
          known_data(data_, targets_.outputs()),
          {scaler_, reduction_ ? std::optional(reduction_->components) : std::nullopt, targets_.scaler()},
          task_.fold,
          point.network()};
}

}  // namespace elmx
