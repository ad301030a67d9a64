#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/machine/clock.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/run/run_trials.hpp"
#include "experiment/shards/shards.hpp"

namespace elmx {

struct RunnerOptions {
  int jobs = 0;  ///< folds at once; 0 = by size
  /// Run failed trials again, including crashed ones.
  bool retry_failed = false;
  std::function<std::unique_ptr<Clock>()> make_clock;  ///< makes a clock for each fold
  const std::atomic<bool>* stop = nullptr;             ///< no further trial starts once this is true
  /// Receives notes for the user; called by one thread at a time.
  std::function<void(const std::string&)> note = {};
  /// Cache for stacks; null = stacks train their members again.
  TrainedMembers* members = nullptr;
  const PlannedShard* shard = nullptr;  ///< the trials to run; null = the whole plan
};

/// Returns the numbers of jobs for a plan: `asked`, or if `asked` is 0, one per core for small folds and one
/// for large folds. Limits them to the number of folds, and to the memory if `asked` is 0.
Jobs jobs_for(const Plan& plan, int asked);

/// Runs every trial of the plan, or of the shard, that `results` lacks. Each record is in the file before
/// `progress` receives it. Each job uses its share of the threads. A trial in which an earlier run has
/// crashed is not started again; its record names the signal. The results do not depend on the numbers of
/// jobs and threads, and are in plan order at the end.
void run_plan(const Plan& plan, ResultsFolder& results, const RunnerOptions& options,
              const std::function<void(const Record&)>& progress);

/// Returns the names of the models and states that a run of the plan may write into its folder.
std::vector<std::string> plan_files(const Plan& plan);

}  // namespace elmx
