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
#include "experiment/records/sample_digests.hpp"
#include "experiment/run/finished_trials.hpp"
#include "experiment/saved/saved_model.hpp"
#include "linalg/blas.hpp"
#include "linalg/blas_buffers.hpp"

namespace elmx {
namespace {

template <class Visit>
void for_each_task(const Plan& plan, const Visit& visit) {
  for (const PlannedTask& task : tasks_of(plan)) {
    for (const PlannedCase& c : task.cases) visit(c, task.repeat, task.fold);
  }
}

using Keys = std::set<std::string>;

/// The trials that need not be run.
Keys trials_done(const ResultsFolder& results, bool retry_failed) {
  Keys done = results.finished();
  if (retry_failed) {
    for (const std::string& key : results.failed()) done.erase(key);
  }
  return done;
}

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
  const Keys done = trials_done(results, options.retry_failed);
  const auto of_shard = [&](const std::string& key) {
    return options.shard == nullptr || options.shard->places.contains(key);
  };
  Keys queued;  // cases that differ only in their presentation share their trials
  for_each_task(plan, [&](const PlannedCase& c, std::size_t repeat, std::size_t fold) {
    QueuedTask next{{&c.specs,
                     c.data.get(),
                     c.folds[repeat][fold],
                     repeat,
                     fold,
                     {},
                     shared,
                     results.path(),
                     results.path() / "states"},
                    {}};
    next.task.ranks = plan.ranks;
    for (const std::string& algorithm : c.spec().model->algorithms()) {
      std::vector<Record> missing;
      for (const CaseSpec& spec : c.specs) {
        Record record = trial_record(next.task, spec, algorithm);
        if (of_shard(record.key) && !done.contains(record.key) && queued.insert(record.key).second)
          missing.push_back(std::move(record));
      }
      if (missing.empty()) continue;
      const auto crash = results.crashed().find(trial_key(c.spec(), *c.data, algorithm, repeat, fold));
      if (crash == results.crashed().end() || options.retry_failed) {
        next.task.algorithms.push_back(algorithm);
        for (const Record& record : missing) next.wanted.insert(record.key);
        continue;
      }
      for (Record& record : missing) {
        record.status = "crashed (" + crash->second + ")";
        record.samples = sample_digests(*c.data, c.spec().options, c.folds[repeat][fold]);
        queue.crashed.push_back(std::move(record));
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
  if (results.finished().empty()) return;
  Keys planned;
  for (const PlannedTask& task : tasks_of(plan)) {
    if (!task.cases.front().spec().saves_every_network()) continue;
    for (std::string& key : trial_keys(task)) planned.insert(std::move(key));
  }
  if (planned.empty()) return;
  std::map<std::string, bool> is_lost;
  for (const Record& record : read_records(results.path())) {
    if (planned.contains(record.key))
      is_lost[record.key] = has_network(record) && !std::filesystem::exists(model_file(results.path(), record));
  }
  const auto lost = static_cast<std::size_t>(std::ranges::count_if(is_lost, [](const auto& of) { return of.second; }));
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
  if (!results.finished().empty()) refuse_lost_models(plan, results, ExitCode::resume_refused);
  SharedWork shared(kCacheShare * available_memory());
  Queue queue = queue_of(plan, results, options, &shared);
  if (!queue.is_empty()) results.forget_choice();
  const Jobs jobs = jobs_for(plan, options.jobs);
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
    const FinishedTrials trials(read_records(results.path()));
    for (auto* stacks : {&queue.stacks.small, &queue.stacks.large}) {
      for (QueuedTask& next : *stacks) next.task.finished = trials.finder();
    }
    run_tasks(queue.stacks);
  }
  failure.rethrow();
  results.settle(keys_of(plan));
  std::error_code ignored;
  // with the folder, while the run went on
  const bool deleted = !std::filesystem::exists(results.path() / "models", ignored);
  if (deleted) refuse_lost_models(plan, results, ExitCode::config);
}

std::vector<std::string> plan_files(const Plan& plan) {
  std::vector<std::string> names;
  for_each_task(plan, [&](const PlannedCase& c, std::size_t repeat, std::size_t fold) {
    const bool states = c.spec().family->can.states;
    if (!states && !c.spec().saves_every_network()) return;
    const FoldTask task{&c.specs, c.data.get(), {}, repeat, fold, {}};
    for (const CaseSpec& spec : c.specs) {
      for (const std::string& algorithm : c.spec().model->algorithms()) {
        const Record record = trial_record(task, spec, algorithm);
        if (spec.saves_every_network()) names.push_back(model_name(record));
        if (states) names.push_back("states/" + record.key + ".state");
      }
    }
  });
  if (std::ranges::any_of(plan.cases, [](const PlannedCase& c) { return c.spec().options.save_model; }))
    names.insert(names.end(), {kFinalModel, kTestPredictions, kNoFinalModel});
  return names;
}

}  // namespace elmx
