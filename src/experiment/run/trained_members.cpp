#include "experiment/run/trained_members.hpp"

#include "experiment/run/leave_one_out.hpp"

namespace elmx {
namespace {

/// Returns the leave-one-out outputs of a checkpoint, n x c, or an empty matrix if they are unknown.
arma::mat left_out_of(const Checkpoint& point, const arma::mat& T) {
  if (!point.leave_one_out.outputs.is_empty() || point.leverages.h.is_empty()) return point.leave_one_out.outputs;
  return left_out_outputs(T, point.train_output, point.leverages.h);
}

}  // namespace

TrainedMember trained_member(const FoldTrainer& trained, const Record& record, const CaseSpec& spec,
                             const Checkpoint& point, const StepRecord& step) {
  TrainedMember member;
  member.key = record.key;
  member.size = {point.nodes, point.iterations};
  if (!step.metrics.contains("loo_mse")) {
    const auto why = step.notes.find("loo_mse");
    member.missing = "no leave-one-out outputs" + (why == step.notes.end() ? "" : ": " + why->second);
    return member;
  }
  member.train = point.train_output;
  member.test = point.test_output;
  member.left_out = left_out_of(point, trained.targets());
  member.error = point.leave_one_out.error;
  member.seconds = point.total_seconds;
  member.feature_seconds = point.feature_seconds;
  member.test_seconds = point.test_seconds;
  member.network = trained.model(record, spec, point);
  return member;
}

TrainedMembers::TrainedMembers(const Plan& plan) {
  if (plan.members_bytes() == 0) return;
  for (const PlannedCase& c : plan.cases) {
    if (!c.spec().members) continue;
    for (const StackMember& member : *c.spec().members) by_[{c.data->name, member.name}] = member.by;
  }
}

TrainedMembers::Fold TrainedMembers::fold_of(const Record& record) {
  return {record.dataset, record.experiment_case, record.repeat, record.fold};
}

bool TrainedMembers::is_better(const Fold& fold, const StepMerit& merit) const {
  const auto best = best_.find(fold);
  return best == best_.end() || best->second.merit < merit;
}

void TrainedMembers::offer(const FoldTrainer& trained, const Record& record, const CaseSpec& spec,
                           const Checkpoint& point, const StepRecord& step) {
  const auto by = by_.find({record.dataset, record.experiment_case});
  if (by == by_.end() || record.algorithm != spec.model->algorithms().front() || step.status != Status::ok) return;
  const std::optional<StepMerit> merit = merit_of(record, step, by->second);
  if (!merit) return;
  const Fold fold = fold_of(record);
  {
    const std::lock_guard lock(mutex_);
    if (!is_better(fold, *merit)) return;
  }
  auto member = std::make_shared<const TrainedMember>(trained_member(trained, record, spec, point, step));
  const std::lock_guard lock(mutex_);
  if (is_better(fold, *merit)) best_.insert_or_assign(fold, Best{*merit, std::move(member)});
}

std::shared_ptr<const TrainedMember> TrainedMembers::find(const Record& record, const Size& size) const {
  const std::lock_guard lock(mutex_);
  const auto best = best_.find(fold_of(record));
  if (best == best_.end()) return nullptr;
  const TrainedMember& member = *best->second.member;
  const bool same =
      member.key == record.key && member.size.nodes == size.nodes && member.size.iterations == size.iterations;
  return same ? best->second.member : nullptr;
}

}  // namespace elmx
