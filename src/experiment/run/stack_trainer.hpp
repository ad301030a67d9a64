#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/run/run_trials.hpp"
#include "experiment/run/trained_members.hpp"
#include "experiment/saved/saved_model.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The members of a stack on one fold, each trained at the point and size that it chooses there, and their
/// weights.
///
///     outputs             sum_j w_j z_j, w by non-negative least squares on the leave-one-out outputs of the training part
///     left-out outputs    at sample i sum_j w_j^(-i) z_ij^(-i): neither the members nor the weights have seen it
///
/// A member chooses by its rule (StackMember) among the steps of its trials in the fold: those of
/// FoldTask::finished, and trained here where it has none. The chosen network comes from the cache
/// FoldTask::members, or is trained again. A member whose training fails, or that has no leave-one-out
/// outputs, has the weight 0, which a note of the checkpoint explains. The test part is used for outputs
/// alone.
class StackTrainer final : public Trainer {
 public:
  /// The task, of a stack, must outlive the object. view: of its fold.
  StackTrainer(const FoldTask& task, FoldView view);

  void train(const std::string& algorithm, Clock& clock, const Observer& observe) override;

  /// The members with weights > 0, or the first one, after a training.
  const std::vector<SavedModel>& networks() const { return networks_; }

 private:
  /// A member at its choice, or why there is none.
  TrainedMember trained(const StackMember& member, Clock& clock) const;
  std::vector<Record> records_of(const StackMember& member, Clock& clock) const;
  FoldTask task_of(const std::vector<CaseSpec>& specs) const;

  const FoldTask& task_;
  const CaseSpec& spec_;
  FoldView view_;
  std::vector<SavedModel> networks_;
};

}  // namespace elmx
