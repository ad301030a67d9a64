#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/communicator.hpp"
#include "base/machine/clock.hpp"
#include "base/machine/shared_work.hpp"
#include "data/table/dataset.hpp"
#include "data/transforms/targets.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"
#include "experiment/saved/saved_model.hpp"
#include "models/trainer.hpp"

namespace elmx {

struct Reduction;
class StackTrainer;
class TrainedMembers;

/// A task: one fold of one case, with all of its algorithms.
struct FoldTask {
  const std::vector<CaseSpec>* specs;  ///< computed together: differ only in the family's shared member
  const Dataset* data;
  const Fold& fold;
  std::size_t repeat;
  std::size_t fold_index;
  std::vector<std::string> algorithms;  ///< algorithms that are still missing for at least one spec
  SharedWork* shared = nullptr;         ///< cache that the tasks of a run share; null = no cache
  /// The folder of the run, for the saved models of its specs and the states of trainings; empty = none are
  /// saved.
  std::filesystem::path results = {};
  /// Receives notes for the user about an unusable state.
  std::function<void(const std::string&)> note = {};
  /// Networks are final models: of a regression they keep leave-one-out solutions for prediction intervals,
  /// and with save_model=updatable the sums over their rows.
  bool is_final = false;
  /// The finished trials on the same samples, which a stack does not train again; null = none.
  const RecordsByKey* finished = nullptr;
  /// Cache of trained members of stacks; null = stacks train their members again.
  TrainedMembers* members = nullptr;
  /// Receives the network of each trial before its record is emitted, in place of a file; may be empty.
  std::function<void(const Record&, const SavedModel&)> keep = {};
  const Communicator* ranks = &kAlone;  ///< the ranks that run the task together
  /// The keys of its trials in a plan (PlannedCase::keys); empty = the task is not of a plan.
  std::vector<std::string> keys = {};
};

/// Returns the initial record of a trial of the task. key: as in the plan; empty = it is computed.
Record trial_record(const FoldTask& task, const CaseSpec& spec, const std::string& algorithm, std::string key = "");

/// Runs the algorithms of the task on the same samples and random features. Emits the records of an
/// algorithm, one per spec, when it has finished; a network to keep (of the last checkpoint that is ok) is
/// then on the disk. A failure of an algorithm becomes the status of its record and does not affect the
/// others, except for a file of the run that cannot be written (OutputError). Once `stopped` returns true, no
/// further algorithm starts, and an algorithm that saves states ends without a record.
void run_task(const FoldTask& task, Clock& clock, const std::function<bool()>& stopped,
              const std::function<void(Record)>& emit);

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

  bool operator==(const Size&) const = default;
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
