#pragma once

#include <memory>
#include <optional>

#include "experiment/run/prepared_fold.hpp"

namespace elmx {

class StackTrainer;

/// The models of a task's specs on its fold, ready for training; what they were made of lives as long as
/// they. The task must outlive the object.
struct FoldTrainer {
  PreparedFold fold;
  std::unique_ptr<Trainer> trainer;
  StackTrainer* stack = nullptr;  ///< the trainer of a stack; else null

  /// states: where trainings keep theirs; null: nowhere.
  FoldTrainer(const FoldTask& task, TrainingStates* states);
  FoldTrainer(const FoldTrainer&) = delete;
  FoldTrainer& operator=(const FoldTrainer&) = delete;

  /// The network of a checkpoint that the trainer is reporting, with all that a prediction needs.
  SavedModel model(const Record& record, const CaseSpec& spec, const Checkpoint& point) const;
};

/// A checkpoint: nodes and iterations.
struct Size {
  arma::uword nodes = 0;
  arma::uword iterations = 0;
};

/// Trains `algorithm` until the checkpoint of this size, or else to the end, and no further; `reached` sees
/// every checkpoint of the size, or of all sizes: of a grid the last point of a size is the one chosen.
/// Returns how the training failed; "" where it did not.
std::string train_until(const FoldTrainer& trained, const std::string& algorithm, const std::optional<Size>& size,
                        Clock& clock, const Observer& reached);

/// How the training of a checkpoint failed: "not_finite at step 506: why".
std::string failure_of(const Checkpoint& point, Status status);

/// A network that was trained again, or why there is none.
struct NetworkAt {
  std::optional<SavedModel> model = {};
  std::string failure = {};  ///< "" where the training did not fail
};

/// The network that `algorithm` has at a size, or else at its last one, in the trial of the only spec of a
/// task: trained again, and no further, with the same bits. None where the training does not get there.
NetworkAt network_at(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size, Clock& clock);

}  // namespace elmx
