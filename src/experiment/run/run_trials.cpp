#include <optional>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/files/sha256.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "experiment/records/record.hpp"
#include "experiment/run/active_trial.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/run/stack_trainer.hpp"
#include "linalg/blas.hpp"
#include "metrics/registry.hpp"

namespace elmx {
namespace {

/// The records of one algorithm and, if they are saved, its networks, one for each spec of a task.
struct Results {
  std::vector<Record> records;
  std::vector<std::optional<SavedModel>> models;

  void fail(const std::string& why) {
    for (Record& record : records) record.status = TrialStatus::other(why);
  }
};

/// Describes the machine that times depend on: "AMD EPYC, kernel Zen, 1 thread"; "" for a fake clock.
std::string machine_of(const Clock& clock) {
  if (!clock.measures()) return "";
  static const std::string machine = cpu_name() + ", kernel " + blas_kernel() + ", ";
  return machine + counted(static_cast<std::size_t>(threads()), "thread");
}

/// The records of algorithm number `a` of the task, without results.
Results empty_results(const FoldTask& task, std::size_t a, const SampleDigests& samples, const Clock& clock) {
  const std::vector<CaseSpec>& specs = *task.specs;
  Results results;
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const std::string key = task.keys.empty() ? "" : task.keys.at(a * specs.size() + s);
    Record& record = results.records.emplace_back(trial_record(task, specs[s], task.algorithms[a], key));
    record.samples = samples;
    record.machine = machine_of(clock);
  }
  results.models.resize(specs.size());
  return results;
}

/// Returns "test_mse: larger than ..." for a metric that overflowed, else "". Diagnostics that overflow are
/// ignored, because they only judge other values.
std::string overflow_in(const StepRecord& step) {
  for (const Metric& metric : metrics()) {
    if (metric.kind == MetricKind::diagnostics || metric.kind == MetricKind::structure) continue;
    for (const std::string part : {"", "train_", "test_", "unlabelled_"}) {
      const auto note = step.notes.find(part + metric.name);
      if (note != step.notes.end() && note->second == kNotFinite) return note->first + ": " + note->second;
    }
  }
  return "";
}

/// Ends the whole run if there are several ranks, because the others would wait forever for a failed rank.
void refuse_to_fail_alone(const Communicator& ranks, const std::string& why) {
  if (ranks.count() > 1) throw std::runtime_error(why);
}

/// Adds a checkpoint to the record that it is of.
void add(const Checkpoint& point, const FoldTask& task, const FoldTrainer& trained, Results& results) {
  Record& record = results.records.at(point.point);
  const CaseSpec& spec = task.specs->at(point.point);
  record.feature_seconds = point.feature_seconds;
  record.test_part = trained.test_part();
  StepRecord step = trained.step(point);
  if (step.status != Status::ok) record.status = TrialStatus::numeric(failure_of(point, step.status));
  if (const std::string overflow = overflow_in(step); step.status == Status::ok && !overflow.empty())
    record.status = TrialStatus::numeric(overflow);
  if (step.status == Status::ok && (task.keep || (spec.saves_every_network() && !task.results.empty())))
    results.models[point.point] = trained.model(record, spec, point);
  if (task.members != nullptr) task.members->offer(trained, record, spec, point, step);
  record.steps.push_back(std::move(step));
}

/// Writes the networks of the results, or hands them to task.keep.
void save_models(const FoldTask& task, const Results& results) {
  for (std::size_t i = 0; i < results.records.size(); ++i) {
    const Record& record = results.records[i];
    if (!results.models[i]) continue;
    if (task.keep) {
      task.keep(record, *results.models[i]);
      continue;
    }
    claim_files(task.results, {model_name(record)});
    write_model(model_file(task.results, record), *results.models[i]);
  }
}

}  // namespace

Record trial_record(const FoldTask& task, const CaseSpec& spec, const std::string& algorithm, std::string key) {
  if (key.empty()) key = TrialKeys(spec, *task.data).of(algorithm, task.repeat, task.fold_index);
  return {std::move(key), spec.name,  task.data->name, std::string(spec.family->name),
          algorithm,      spec.point, task.repeat,     task.fold_index};
}

void run_task(const FoldTask& task, Clock& clock, const std::function<bool()>& asked_to_stop,
              const std::function<void(Record)>& emit) {
  broadcast_task(task);
  const std::function<bool()> stopped = stop_of_first_rank(*task.ranks, asked_to_stop);
  ActiveTrial active(task.specs->size() == 1 ? task.results : "", stopped, task.note);
  std::optional<FoldTrainer> prepared;
  const SampleDigests samples = sample_digests(*task.data, task.specs->front().options, task.fold);

  for (std::size_t a = 0; a < task.algorithms.size(); ++a) {
    if (stopped()) return;
    Results results = empty_results(task, a, samples, clock);
    active.begin(results.records);
    try {
      if (!prepared) prepared.emplace(task, active.saves_states() ? &active : nullptr);
      prepared->train(task.algorithms[a], clock,
                      [&](const Checkpoint& point) { add(point, task, *prepared, results); });
    } catch (const Interrupted&) {
      return;
    } catch (const OutputError&) {
      throw;
    } catch (const std::bad_alloc&) {
      refuse_to_fail_alone(*task.ranks, "out of memory");
      results.fail("out of memory");
    } catch (const std::exception& error) {
      refuse_to_fail_alone(*task.ranks, error.what());
      results.fail(error.what());
    }
    save_models(task, results);
    active.end();
    for (Record& record : results.records) emit(std::move(record));
    active.remove_state();
  }
}

}  // namespace elmx
