#include "experiment/run/runner.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <exception>
#include <iterator>
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

struct QueuedTasks {
  std::vector<QueuedTask> small, large;
  bool is_empty() const { return small.empty() && large.empty(); }
};

struct Queue {
  QueuedTasks tasks;
  QueuedTasks stacks;  // which begin when the trials of all other cases are finished
  std::vector<Record> crashed;
  bool is_empty() const { return tasks.is_empty() && stacks.is_empty() && crashed.empty(); }
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
    const std::vector<std::string>& algorithms = c.spec().model->algorithms();
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
    QueuedTasks& tasks = c.spec().members ? queue.stacks : queue.tasks;
    (c.small() ? tasks.small : tasks.large).push_back(std::move(next));
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

/// The first exception of several threads.
class FirstFailure {
 public:
  bool happened() const { return happened_.load(); }
  /// Keeps the exception that is being handled, if it is the first.
  void keep() {
    if (!happened_.exchange(true)) exception_ = std::current_exception();
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> happened_ = false;
  std::exception_ptr exception_;
};

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
  if (!queue.is_empty()) results.forget_choice();
  const Jobs jobs = jobs_for(plan, options.jobs);
  const CrashGuard guard(results.path());
  std::mutex writing;
  FirstFailure failure;
  const auto stopped = [&] { return failure.happened() || (options.stop != nullptr && options.stop->load()); };

  const auto finish = [&](const Record& record) {
    const std::lock_guard lock(writing);
    if (failure.happened()) return;
    try {
      results.append(record);
      progress(record);
    } catch (...) {
      failure.keep();
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
      FoldTask noted = next.task;
      noted.note = note;
      noted.members = options.members;
      run_task(noted, *clock, stopped, [&](const Record& record) {
        if (next.wanted.contains(record.key)) finish(record);
      });
    } catch (...) {
      failure.keep();
    }
  };
  std::for_each(queue.crashed.begin(), queue.crashed.end(), finish);
  const auto run_tasks = [&](const QueuedTasks& tasks) {
    run_all(tasks.small, jobs.small, work);
    release_freed_memory();
    run_all(tasks.large, jobs.large, [&](const QueuedTask& next) {
      work(next);
      release_freed_memory();
    });
  };
  run_tasks(queue.tasks);
  if (!stopped() && !queue.stacks.is_empty()) {
    const RecordsByKey finished = results.written();
    for (auto* stacks : {&queue.stacks.small, &queue.stacks.large}) {
      for (QueuedTask& next : *stacks) next.task.finished = &finished;
    }
    run_tasks(queue.stacks);
  }
  failure.rethrow();
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
    const std::vector<std::string>& algorithms = c.spec().model->algorithms();
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
