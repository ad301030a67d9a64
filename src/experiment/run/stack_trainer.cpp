#include "experiment/run/stack_trainer.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/machine/stage.hpp"
#include "experiment/run/leave_one_out.hpp"
#include "models/stack/stack_weights.hpp"
#include "models/trained_network.hpp"

namespace elmx {
namespace {

/// A step of one of a member's trials.
struct Choice {
  const CaseSpec* point;
  Size size;
};

/// The best step by the rule of the member; of equal ones the first. records: of its points, in their order.
std::optional<Choice> choice_among(const std::vector<Record>& records, const StackMember& member) {
  std::optional<Choice> best;
  std::optional<StepMerit> most;
  for (std::size_t p = 0; p < records.size(); ++p) {
    for (const StepRecord& step : records[p].steps) {
      const std::optional<StepMerit> merit = merit_of(records[p], step, member.by);
      if (!merit || (most && !(*most < *merit))) continue;
      most = merit;
      best = Choice{&member.points[p], {step.nodes, step.iterations}};
    }
  }
  return best;
}

/// Returns the leave-one-out outputs of a checkpoint, n x c, or an empty matrix if they are unknown.
arma::mat left_out_of(const Checkpoint& point, const arma::mat& T) {
  if (!point.leave_one_out.outputs.is_empty() || point.leverages.h.is_empty()) return point.leave_one_out.outputs;
  return left_out_outputs(T, point.train_output, point.leverages.h);
}

/// Returns the outputs and the network of a checkpoint. step: the step of the record that describes the
/// checkpoint.
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

}  // namespace

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

void TrainedMembers::offer(const FoldTrainer& trained, const Record& record, const CaseSpec& spec,
                           const Checkpoint& point, const StepRecord& step) {
  const auto by = by_.find({record.dataset, record.experiment_case});
  if (by == by_.end() || record.algorithm != spec.model->algorithms.front() || step.status != Status::ok) return;
  const std::optional<StepMerit> merit = merit_of(record, step, by->second);
  if (!merit) return;
  const std::lock_guard lock(mutex_);
  Best& best = best_[fold_of(record)];
  if (best.member && !(best.merit < *merit)) return;
  best = {*merit, std::make_shared<const TrainedMember>(trained_member(trained, record, spec, point, step))};
}

std::shared_ptr<const TrainedMember> TrainedMembers::find(const Record& record, const Size& size) const {
  const std::lock_guard lock(mutex_);
  const auto best = best_.find(fold_of(record));
  if (best == best_.end()) return nullptr;
  const std::shared_ptr<const TrainedMember>& member = best->second.member;
  return member && member->key == record.key && member->size == size ? member : nullptr;
}

StackTrainer::StackTrainer(const FoldTask& task, FoldView view)
    : task_(task), spec_(task.specs->front()), view_(std::move(view)) {}

FoldTask StackTrainer::task_of(const std::vector<CaseSpec>& specs) const {
  return {&specs, task_.data, task_.fold, task_.repeat, task_.fold_index, {}, task_.shared};
}

std::vector<Record> StackTrainer::records_of(const StackMember& member, Clock& clock) const {
  const FoldTask named = task_of(member.points);
  std::vector<Record> records;
  std::map<std::size_t, std::vector<std::size_t>> missing;  // places of points computed together
  for (const CaseSpec& point : member.points) {
    Record& record = records.emplace_back(trial_record(named, point, member.algorithm()));
    if (task_.finished != nullptr && task_.finished->contains(record.key))
      record = *task_.finished->at(record.key);
    else
      missing[point.together].push_back(records.size() - 1);
  }
  for (const auto& group : missing) {
    std::vector<CaseSpec> specs;
    for (const std::size_t place : group.second) specs.push_back(member.points[place]);
    const FoldTask task = task_of(specs);
    const FoldTrainer trained(task, nullptr);
    trained.train(member.algorithm(), clock, [&](const Checkpoint& point) {
      records[group.second.at(point.point)].steps.push_back(trained.step(point));
    });
  }
  return records;
}

TrainedMember StackTrainer::trained(const StackMember& member, Clock& clock) const {
  TrainedMember one;
  const std::optional<Choice> choice = choice_among(records_of(member, clock), member);
  if (!choice) {
    one.missing = "no point has " + member.by;
    return one;
  }
  const std::vector<CaseSpec> specs{*choice->point};
  const FoldTask task = task_of(specs);
  const Record record = trial_record(task, specs.front(), member.algorithm());
  if (const auto kept = task_.members == nullptr ? nullptr : task_.members->find(record, choice->size)) {
    one = *kept;
  } else {
    const FoldTrainer trainer(task, nullptr);
    const std::string failure =
        train_until(trainer, member.algorithm(), choice->size, clock, [&](const Checkpoint& point) {
          one = trained_member(trainer, record, specs.front(), point, trainer.step(point));
        });
    if (!failure.empty()) one.missing = failure;
  }
  one.network.trial["chosen"] = "by " + member.by;
  return one;
}

void StackTrainer::train(const std::string&, Clock& clock, const Observer& observe) {
  networks_.clear();
  Checkpoint point;
  std::vector<arma::mat> train, test, left_out;
  std::vector<SavedModel> networks;
  std::vector<std::string> names;
  std::string missing;
  for (std::size_t j = 0; j < spec_.members->size(); ++j) {
    const StackMember& member = (*spec_.members)[j];
    report_stage("member", j + 1, spec_.members->size());
    TrainedMember one = trained(member, clock);
    const std::string weight = "weight[" + member.name + "]";
    point.diagnostics[weight] = 0;
    if (one.left_out.is_empty()) {
      if (one.missing.empty()) one.missing = "its training did not come to the chosen size";
      point.notes[weight] = one.missing;
      missing += (missing.empty() ? "" : "; ") + member.name + ": " + one.missing;
      continue;
    }
    train.push_back(std::move(one.train));
    test.push_back(std::move(one.test));
    left_out.push_back(std::move(one.left_out));
    networks.push_back(std::move(one.network));
    names.push_back(weight);
    point.leave_one_out.error = std::max(point.leave_one_out.error, one.error);
    point.total_seconds += one.seconds;
    point.feature_seconds += one.feature_seconds;
    point.test_seconds += one.test_seconds;
  }
  if (train.empty()) throw DataError("no member of the stack could be trained: " + missing);

  const double begin = clock.now();
  const StackWeights found = stack_weights(left_out, view_.targets, view_.sample_weights);
  point.total_seconds += clock.now() - begin;
  point.step = {point.total_seconds, 0, 1};
  point.train_output = weighted_sum(train, found.weights);
  point.test_output = weighted_sum(test, found.weights);
  point.leave_one_out.outputs.zeros(arma::size(point.train_output));
  std::vector<double> used;
  for (std::size_t j = 0; j < train.size(); ++j) {
    point.diagnostics[names[j]] = found.weights(j);
    arma::mat share = left_out[j];
    share.each_col() %= found.without_each.row(j).t();
    point.leave_one_out.outputs += share;
    const bool counts = found.weights(j) > 0 || (j == 0 && !arma::any(found.weights));
    if (!counts) continue;
    networks_.push_back(std::move(networks[j]));
    used.push_back(found.weights(j));
  }
  arma::mat residuals;
  if (!view_.left_out.is_empty()) {
    residuals = (view_.targets - point.leave_one_out.outputs).eval().rows(view_.left_out);
    residuals = residuals.rows(arma::find_finite(residuals.col(0))).eval();  // a member may lack samples
  }
  point.network = [used, residuals] {
    TrainedNetwork network{{{"weights", arma::mat(arma::rowvec(used))}}, Json::object()};
    if (!residuals.is_empty()) keep_residuals(residuals, network);
    return network;
  };
  observe(point);
}

}  // namespace elmx
