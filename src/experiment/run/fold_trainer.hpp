#pragma once

#include <memory>
#include <optional>

#include "data/transforms/targets.hpp"
#include "experiment/run/run_trials.hpp"
#include "experiment/saved/saved_model.hpp"
#include "models/trainer.hpp"

namespace elmx {

struct Reduction;
class StackTrainer;

/// The models of a task's specs on its fold, ready for training. Everything fitted to data is fitted on the
/// training part, which includes the inputs of unlabelled samples. Scalers and principal components are
/// computed once and shared by all tasks of a run with the same ones. The task must outlive the object.
class FoldTrainer {
 public:
  /// states: the store for training states; null = none.
  FoldTrainer(const FoldTask& task, TrainingStates* states);
  FoldTrainer(const FoldTrainer&) = delete;
  FoldTrainer& operator=(const FoldTrainer&) = delete;

  /// Trains all specs (Trainer::train).
  void train(const std::string& algorithm, Clock& clock, const Observer& observe) const {
    trainer_->train(algorithm, clock, observe);
  }

  arma::mat targets() const { return targets_.encode(task_.fold.train); }  ///< of the training part, n x c
  const TestPart& test_part() const { return test_part_; }

  /// Returns the checkpoint with its metrics as a step of the record; a value that is not finite becomes a
  /// note.
  StepRecord step(const Checkpoint& point) const;

  /// Returns the network of a checkpoint that is being reported, with everything a prediction needs.
  SavedModel model(const Record& record, const CaseSpec& spec, const Checkpoint& point) const;

 private:
  FoldView view(TrainingStates* states) const;

  const FoldTask& task_;
  const Dataset& data_;
  Scaler scaler_;
  std::shared_ptr<const Reduction> reduction_;  // null = no principal components
  Targets targets_;
  arma::vec weights_;  // weights of the training samples; empty = all 1
  TestPart test_part_;
  std::unique_ptr<Trainer> trainer_;
  const StackTrainer* stack_ = nullptr;  // the trainer of a stack; else null
};

/// A checkpoint: nodes and iterations.
struct Size {
  std::size_t nodes = 0;
  std::size_t iterations = 0;
};

/// Trains `algorithm` up to the checkpoint of this size, or to the end without a size. Calls `reached` for
/// every checkpoint of the size, or of all sizes; the last grid point of a size is the chosen one. Returns
/// the reason of a failed training, else "".
std::string train_until(const FoldTrainer& trained, const std::string& algorithm, const std::optional<Size>& size,
                        Clock& clock, const Observer& reached);

/// Describes the failure of the training of a checkpoint: "not_finite at step 506: why".
std::string failure_of(const Checkpoint& point, Status status);

/// A network that was trained again, or the reason why there is none.
struct NetworkAt {
  std::optional<SavedModel> model = {};
  std::string failure = {};  ///< "" if the training did not fail
};

/// Trains the only spec of a task again and returns the network of `algorithm` at a size, or at its last size
/// without one, with the same bits as in the trial. Returns none if the training does not reach the size.
NetworkAt network_at(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size, Clock& clock);

}  // namespace elmx
