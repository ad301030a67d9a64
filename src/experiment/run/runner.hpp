#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/machine/clock.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/run/fold_trainer.hpp"
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

// With several ranks, rank 0 runs the plan and broadcasts each training to the other ranks, which take part
// in it. With one rank, the functions below have no effect.

/// Rank 0: broadcasts the next training to the other ranks.
void broadcast_task(const FoldTask& task);
/// Rank 0: broadcasts a call of network_at.
void broadcast_task(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size);
/// Rank 0: broadcasts the end, after the last training.
void broadcast_end(const Communicator& ranks);

/// Other ranks: runs each training that rank 0 broadcasts, until the end.
void worker_loop(const Plan& plan, const std::function<std::unique_ptr<Clock>()>& make_clock);

/// Returns a function that gives the `stopped` of rank 0 on every rank. Every rank must call it equally
/// often.
std::function<bool()> stop_of_first_rank(const Communicator& ranks, const std::function<bool()>& stopped);

/// Returns the values that must be equal on every rank, by name: program, config, data and BLAS kernel. Each
/// rank decides by its own numbers whether to go on.
Json what_runs(const Json& config, const Plan& plan);

}  // namespace elmx
