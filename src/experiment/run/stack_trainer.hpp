#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/run/run_trials.hpp"
#include "experiment/run/trained_members.hpp"
#include "experiment/saved/saved_model.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains a stack on one fold: its members, each at the point and size that it chooses there, and their
/// weights.
///
///     outputs             sum_j w_j z_j, w by non-negative least squares on the leave-one-out outputs of the
///                         training part
///     left-out outputs    sum_j w_j^(-i) z_ij^(-i) at sample i, which neither members nor weights have seen
///
/// A member chooses by its rule (StackMember) among the steps of its trials in the fold, taken from
/// FoldTask::finished or else trained here. The chosen network comes from the cache FoldTask::members, or is
/// trained again. A member whose training fails, or that has no leave-one-out outputs, gets the weight 0,
/// which a note of the checkpoint explains. The test part is used only for outputs.
class StackTrainer final : public Trainer {
 public:
  /// The task, which belongs to a stack, must outlive the object. view: the view of its fold.
  StackTrainer(const FoldTask& task, FoldView view);

  void train(const std::string& algorithm, Clock& clock, const Observer& observe) override;

  /// Returns the members with weights > 0, or the first member, after a training.
  const std::vector<SavedModel>& networks() const { return networks_; }

 private:
  /// Returns a member at its chosen point and size, or the reason why there is none.
  TrainedMember trained(const StackMember& member, Clock& clock) const;
  std::vector<Record> records_of(const StackMember& member, Clock& clock) const;
  FoldTask task_of(const std::vector<CaseSpec>& specs) const;

  const FoldTask& task_;
  const CaseSpec& spec_;
  FoldView view_;
  std::vector<SavedModel> networks_;
};

}  // namespace elmx
