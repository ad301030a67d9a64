#pragma once

#include <memory>
#include <optional>

#include "experiment/run/prepared_fold.hpp"

namespace elmx {

class StackTrainer;

/// The models of a task's specs on its fold, ready for training, together with the data that they refer to.
/// The task must outlive the object.
struct FoldTrainer {
  PreparedFold fold;
  std::unique_ptr<Trainer> trainer;
  StackTrainer* stack = nullptr;  ///< the trainer of a stack; else null

  /// states: the store for training states; null = none.
  FoldTrainer(const FoldTask& task, TrainingStates* states);
  FoldTrainer(const FoldTrainer&) = delete;
  FoldTrainer& operator=(const FoldTrainer&) = delete;

  /// Returns the network of a checkpoint that the trainer is reporting, with everything a prediction needs.
  SavedModel model(const Record& record, const CaseSpec& spec, const Checkpoint& point) const;
};

/// A checkpoint: nodes and iterations.
struct Size {
  arma::uword nodes = 0;
  arma::uword iterations = 0;
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
