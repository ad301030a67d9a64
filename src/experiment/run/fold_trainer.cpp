#include "experiment/run/fold_trainer.hpp"

#include "experiment/run/worker_loop.hpp"
#include "experiment/run/stack_trainer.hpp"

namespace elmx {
namespace {

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

FoldTrainer::FoldTrainer(const FoldTask& task, TrainingStates* states) : fold(task) {
  if (task.specs->front().members) {
    auto made = std::make_unique<StackTrainer>(task, fold.view(nullptr));
    stack = made.get();
    trainer = std::move(made);
  } else {
    trainer = trainer_of(task, fold.view(states));
  }
}

SavedModel FoldTrainer::model(const Record& record, const CaseSpec& spec, const Checkpoint& point) const {
  SavedModel model = fold.model(record, spec, point);
  if (stack != nullptr) model.members = stack->networks();
  return model;
}

std::string train_until(const FoldTrainer& trained, const std::string& algorithm, const std::optional<Size>& size,
                        Clock& clock, const Observer& reached) {
  std::string failure;
  try {
    trained.trainer->train(algorithm, clock, [&](const Checkpoint& point) {
      if (point.status != Status::ok) {
        failure = failure_of(point, point.status);
        return;
      }
      if (size && (point.nodes != size->nodes || point.iterations != size->iterations)) return;
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
