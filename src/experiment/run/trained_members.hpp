#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "experiment/plan/plan.hpp"
#include "experiment/records/step_merit.hpp"
#include "experiment/run/fold_trainer.hpp"

namespace elmx {

/// A case that a stack combines, trained on one fold at one of its points and sizes.
struct TrainedMember {
  std::string key;  ///< of the trial
  Size size;
  SavedModel network;
  arma::mat train, test, left_out;  ///< outputs, n x c, n_test x c, n x c; left_out is empty where they are not known
  double error = 0;                 ///< of left_out
  double seconds = 0, feature_seconds = 0, test_seconds = 0;
  std::string missing;  ///< why left_out is empty
};

/// Returns the checkpoint of a trial with all that a stack needs of it. step: its step of the record.
TrainedMember trained_member(const FoldTrainer& trained, const Record& record, const CaseSpec& spec,
                             const Checkpoint& point, const StepRecord& step);

/// The best checkpoint so far of each case that a stack combines, for each fold of a run: the stack need not train it
/// again. A training with the same key has the same bits, so that results do not depend on what is here.
class TrainedMembers {
 public:
  /// For the stacks of the plan of which all that is kept fits into Plan::members_bytes.
  explicit TrainedMembers(const Plan& plan);

  /// Keeps a checkpoint of a trial if its case is combined and it is better than the one that is here.
  void offer(const FoldTrainer& trained, const Record& record, const CaseSpec& spec, const Checkpoint& point,
             const StepRecord& step);

  /// The member of a trial and a size; null: it is not here.
  std::shared_ptr<const TrainedMember> find(const Record& record, const Size& size) const;

 private:
  using Fold = std::tuple<std::string, std::string, arma::uword, arma::uword>;  // data set, case, repeat, fold
  struct Best {
    StepMerit merit;
    std::shared_ptr<const TrainedMember> member;
  };
  static Fold fold_of(const Record& record);
  bool is_better(const Fold& fold, const StepMerit& merit) const;

  std::map<std::pair<std::string, std::string>, std::string> by_;  // the metric that chooses, by data set and case
  std::map<Fold, Best> best_;
  mutable std::mutex mutex_;
};

}  // namespace elmx
