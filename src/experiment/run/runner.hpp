#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/machine/clock.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/shards/shards.hpp"

namespace elmx {

struct RunnerOptions {
  int jobs = 0;  ///< folds at once; 0 = by size
  /// trials that failed are run again, also those that crashed
  bool retry_failed = false;
  std::function<std::unique_ptr<Clock>()> make_clock;  ///< one clock a fold
  const std::atomic<bool>* stop = nullptr;             ///< set from outside: no further trial is begun
  /// what the user should know; called by one thread at a time
  std::function<void(const std::string&)> note = {};
  /// cache for stacks; null: they train their members again
  TrainedMembers* members = nullptr;
  const PlannedShard* shard = nullptr;  ///< the trials to run; null: all of the plan
};

/// Jobs that a run of this plan uses: those asked for, or where `asked` is 0 one a core for small folds and
/// one for the others; never more than there are folds, nor, unless they were asked for, than the memory
/// holds.
Jobs jobs_for(const Plan& plan, int asked);

/// Runs every trial of the plan, or of the shard, that `results` lacks. Each record is in the file before
/// `progress` sees it. Jobs share the cores: each has its part of the threads. A trial that a run has crashed
/// in is not begun again; its record says how it ended. The results are the same whatever the number of jobs
/// and threads, and at the end in the plan's order.
void run_plan(const Plan& plan, ResultsFolder& results, const RunnerOptions& options,
              const std::function<void(const Record&)>& progress);

/// Names of the models and states that a run of the plan may write into its folder.
std::vector<std::string> plan_files(const Plan& plan);

}  // namespace elmx
