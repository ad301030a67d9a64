#include "experiment/run/runner.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>

#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/table/table.hpp"
#include "experiment/records/record.hpp"
#include "experiment/run/active_trial.hpp"
#include "experiment/saved/saved_model.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

template <class Visit>
void for_each_task(const Plan& plan, const Visit& visit) {
  for (const PlannedTask& task : tasks_of(plan)) {
    for (const PlannedCase& c : task.cases) visit(c, task.repeat, task.fold);
  }
}

using Keys = std::set<std::string>;

/// A task and the keys of its trials to run, which no other task has.
struct QueuedTask {
  FoldTask task;
  Keys wanted;
};

/// A phase of a run. Stacks begin when the trials of all other cases are finished, and large folds when the
/// small ones are.
struct Phase {
  bool of_stacks = false, large = false;
  auto operator<=>(const Phase&) const = default;
};

struct Queue {
  std::map<Phase, std::vector<QueuedTask>> phases;
  std::vector<Record> crashed;
};

Queue queue_of(const Plan& plan, const ResultsFolder& results, const RunnerOptions& options, SharedWork* shared) {
  Queue queue;
  const RecordsByKey written = results.written();
  const auto is_missing = [&](const std::string& key) {
    if (options.shard != nullptr && !options.shard->places.contains(key)) return false;
    const auto done = written.find(key);
    return done == written.end() || (options.retry_failed && !done->second->status.ok());
  };
  Keys queued;  // cases that differ only in their presentation share their trials
  for_each_task(plan, [&](const PlannedCase& c, std::size_t repeat, std::size_t fold) {
    QueuedTask next{{&c.specs, c.data.get(), c.folds[repeat][fold], repeat, fold, {}, shared, results.path()}, {}};
    next.task.ranks = plan.ranks;
    const std::vector<std::string>& algorithms = c.spec().model->algorithms;
    for (std::size_t a = 0; a < algorithms.size(); ++a) {
      const auto keys = c.keys(repeat, fold).subspan(a * c.specs.size(), c.specs.size());
      Keys missing;
      for (const std::string& key : keys) {
        if (is_missing(key) && queued.insert(key).second) missing.insert(key);
      }
      if (missing.empty()) continue;
      const auto crash = results.crashed().find(keys.front());
      if (crash == results.crashed().end() || options.retry_failed) {
        next.task.algorithms.push_back(algorithms[a]);
        next.task.keys.insert(next.task.keys.end(), keys.begin(), keys.end());
        next.wanted.merge(missing);
        continue;
      }
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!missing.contains(keys[i])) continue;
        Record& record = queue.crashed.emplace_back(trial_record(next.task, c.specs[i], algorithms[a], keys[i]));
        record.status = TrialStatus::other("crashed (" + crash->second + ")");
        record.samples = sample_digests(*c.data, c.spec().options, c.folds[repeat][fold]);
      }
    }
    if (next.task.algorithms.empty()) return;
    queue.phases[{c.spec().members != nullptr, !c.small()}].push_back(std::move(next));
  });
  return queue;
}

/// The tasks, at most `most` at once, each on its part of the threads.
template <class Work>
void run_all(const std::vector<QueuedTask>& tasks, int most, const Work& work) {
  const int jobs = static_cast<int>(std::min(static_cast<std::size_t>(most), tasks.size()));
  if (jobs <= 1) {
    for (const QueuedTask& task : tasks) work(task);
    return;
  }
  const int budget = std::max(1, threads() / jobs), levels = omp_get_max_active_levels();
  omp_set_max_active_levels(budget > 1 ? 2 : 1);
  const auto count = static_cast<long>(tasks.size());
#pragma omp parallel num_threads(jobs)
  {
    omp_set_num_threads(budget);
#pragma omp for schedule(dynamic, 1)
    for (long t = 0; t < count; ++t) work(tasks[static_cast<std::size_t>(t)]);
  }
  omp_set_max_active_levels(levels);
}

/// Keys of all trials in the plan's order.
std::vector<std::string> keys_of(const Plan& plan) {
  std::vector<std::string> keys;
  for (const PlannedTask& task : tasks_of(plan)) std::ranges::move(trial_keys(task), std::back_inserter(keys));
  return keys;
}

/// A trial that is finished is not trained again: its model must be there.
void refuse_lost_models(const Plan& plan, const ResultsFolder& results, ExitCode code) {
  Keys planned;
  for (const PlannedTask& task : tasks_of(plan)) {
    if (!task.cases.front().spec().saves_every_network()) continue;
    for (std::string& key : trial_keys(task)) planned.insert(std::move(key));
  }
  if (planned.empty()) return;
  const auto lost = static_cast<std::size_t>(std::ranges::count_if(results.written(), [&](const auto& trial) {
    const auto& [key, record] = trial;
    return planned.contains(key) && has_network(*record) &&
           !std::filesystem::exists(model_file(results.path(), *record));
  }));
  if (lost == 0) return;
  throw UserError(
      code, (results.path() / "models").string(),
      fmt::format("{} {} no model file; use --force to run all trials again, or -o to choose another folder",
                  counted(lost, "finished trial"), lost == 1 ? "has" : "have"));
}

}  // namespace

Jobs jobs_for(const Plan& plan, int asked) {
  if (plan.ranks->present()) return {};  // ScaLAPACK does one training at a time
  arma::uword small = 0, large = 0;
  for (const PlannedCase& c : plan.cases) (c.small() ? small : large) += c.tasks();
  const auto at_most = [](int wanted, arma::uword tasks) {
    return static_cast<int>(std::clamp<arma::uword>(tasks, 1, static_cast<arma::uword>(wanted)));
  };
  if (const int most = std::min(asked, most_blas_callers()); asked > 0)
    return {at_most(most, small), at_most(most, large)};
  Jobs jobs{at_most(threads(), small), 1};
  while (jobs.small > 1 && plan.peak_bytes(jobs) > plan.available) --jobs.small;
  return jobs;
}

void run_plan(const Plan& plan, ResultsFolder& results, const RunnerOptions& options,
              const std::function<void(const Record&)>& progress) {
  refuse_lost_models(plan, results, ExitCode::resume_refused);
  SharedWork shared(kCacheShare * available_memory());
  Queue queue = queue_of(plan, results, options, &shared);
  if (!queue.phases.empty() || !queue.crashed.empty()) results.forget_choice();
  const Jobs jobs = jobs_for(plan, options.jobs);
  const CrashGuard guard(results.path());
  std::mutex writing;
  std::atomic<bool> failed = false;
  std::exception_ptr failure;  // the first exception of all threads
  const auto keep_failure = [&] {
    if (!failed.exchange(true)) failure = std::current_exception();
  };
  const auto stopped = [&] { return failed || (options.stop != nullptr && *options.stop); };

  const auto finish = [&](const Record& record) {
    const std::lock_guard lock(writing);
    if (failed) return;
    try {
      results.append(record);
      progress(record);
    } catch (...) {
      keep_failure();
    }
  };
  const auto note = [&](const std::string& text) {
    const std::lock_guard lock(writing);
    if (options.note) options.note(text);
  };
  const auto work = [&](const QueuedTask& next) {
    if (stopped()) return;
    try {
      const auto clock = options.make_clock();
      run_task(next.task, *clock, stopped, [&](const Record& record) {
        if (next.wanted.contains(record.key)) finish(record);
      });
    } catch (...) {
      keep_failure();
    }
  };
  std::ranges::for_each(queue.crashed, finish);
  for (auto& [phase, tasks] : queue.phases) {
    const bool large = phase.large;
    const RecordsByKey finished = phase.of_stacks ? results.written() : RecordsByKey();
    for (QueuedTask& next : tasks) {
      next.task.note = note;
      next.task.members = options.members;
      if (phase.of_stacks) next.task.finished = &finished;
    }
    run_all(tasks, large ? jobs.large : jobs.small, [&](const QueuedTask& next) {
      work(next);
      if (large) release_freed_memory();
    });
    release_freed_memory();
  }
  if (failure) std::rethrow_exception(failure);
  results.settle(keys_of(plan));
  // with the folder, while the run went on
  const bool deleted = !is_there(results.path() / "models");
  if (deleted) refuse_lost_models(plan, results, ExitCode::config);
}

std::vector<std::string> plan_files(const Plan& plan) {
  std::vector<std::string> names;
  for_each_task(plan, [&](const PlannedCase& c, std::size_t repeat, std::size_t fold) {
    const bool states = c.spec().family->can.states;
    if (!states && !c.spec().saves_every_network()) return;
    const FoldTask task{&c.specs, c.data.get(), {}, repeat, fold, {}};
    const std::vector<std::string>& algorithms = c.spec().model->algorithms;
    const std::span<const std::string> keys = c.keys(repeat, fold);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const CaseSpec& spec = c.specs[i % c.specs.size()];
      if (spec.saves_every_network())
        names.push_back(model_name(trial_record(task, spec, algorithms[i / c.specs.size()], keys[i])));
      if (states) names.push_back("states/" + keys[i] + ".state");
    }
  });
  if (std::ranges::any_of(plan.cases, [](const PlannedCase& c) { return c.spec().options.save_model; }))
    names.insert(names.end(), {kFinalModel, kTestPredictions, kNoFinalModel});
  return names;
}

}  // namespace elmx
