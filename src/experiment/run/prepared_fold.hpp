#pragma once

#include <memory>

#include "data/transforms/targets.hpp"
#include "experiment/run/run_trials.hpp"
#include "experiment/saved/saved_model.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The scaler of the inputs of a fold.
struct FittedInputs {
  Scaler scaler;
  double bytes() const { return 16.0 * static_cast<double>(scaler.dimension() + scaler.ranks.values().n_elem); }
};

/// The inputs of a fold as principal components.
struct Reduction {
  Components components;
  arma::mat X;
  double bytes() const { return 8.0 * static_cast<double>(X.n_elem + components.pca.V.n_elem); }
};

/// A preprocessed fold. Everything fitted to data is fitted on the training part, which includes the inputs
/// of unlabelled samples. Scalers and principal components are computed once and shared by all tasks of a run
/// with the same ones. The task must outlive the object.
class PreparedFold {
 public:
  explicit PreparedFold(const FoldTask& task);

  /// Returns a view that must not outlive the object.
  FoldView view(TrainingStates* states) const;

  arma::mat targets() const { return targets_.encode(task_.fold.train); }  ///< of the training part, n x c
  const TestPart& test_part() const { return test_part_; }

  /// Returns the checkpoint with its metrics as a step of the record; a value that is not finite becomes a
  /// note.
  StepRecord step(const Checkpoint& point) const;

  /// Returns the network of a checkpoint, with everything a prediction needs.
  SavedModel model(const Record& record, const CaseSpec& spec, const Checkpoint& point) const;

 private:
  const FoldTask& task_;
  const Dataset& data_;
  Scaler scaler_;
  std::shared_ptr<const Reduction> reduction_;
  Targets targets_;
  arma::vec weights_;  // weights of the training samples; empty = all 1
  TestPart test_part_;
};

}  // namespace elmx
