#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"

namespace elmx {

/// A case that a stack combines, trained on one fold at one of its points and sizes.
struct TrainedMember {
  std::string key;  ///< the key of the trial
  Size size;
  SavedModel network;
  arma::mat train, test, left_out;  ///< outputs: n x c, n_test x c, n x c; an empty left_out is unknown
  double error = 0;                 ///< estimated rounding error of left_out
  double seconds = 0, feature_seconds = 0, test_seconds = 0;
  std::string missing;  ///< the reason why left_out is empty
};

/// A cache of the best checkpoint so far of each case that a stack combines, for each fold of a run. The
/// stack takes its members from the cache and does not train them again. A second training would give the
/// same bits, so that results do not depend on the content of the cache.
class TrainedMembers {
 public:
  /// Caches nothing if the plan has no stack, or too little memory (Plan::members_bytes is 0).
  explicit TrainedMembers(const Plan& plan);

  /// Keeps the checkpoint if a stack combines its case and no better one of its fold is in the cache.
  void offer(const FoldTrainer& trained, const Record& record, const CaseSpec& spec, const Checkpoint& point,
             const StepRecord& step);

  /// Returns the member that the trial has trained at this size, or null if it is not in the cache.
  std::shared_ptr<const TrainedMember> find(const Record& record, const Size& size) const;

 private:
  /// Data set, case, repeat and fold.
  using Fold = std::tuple<std::string, std::string, std::size_t, std::size_t>;
  struct Best {
    StepMerit merit;
    std::shared_ptr<const TrainedMember> member;
  };
  static Fold fold_of(const Record& record);

  /// Data set and case -> the metric by which the case chooses.
  std::map<std::pair<std::string, std::string>, std::string> by_;
  std::map<Fold, Best> best_;
  mutable std::mutex mutex_;
};

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
