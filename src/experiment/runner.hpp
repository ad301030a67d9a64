#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "experiment/plan.hpp"
#include "experiment/results.hpp"

namespace elmx {

struct RunnerOptions {
  int jobs = 0;                                        ///< folds at once; 0 = by size
  std::function<std::unique_ptr<Clock>()> make_clock;  ///< one clock a fold
  const std::atomic<bool>* stop = nullptr;             ///< set from outside: no further unit is begun
};

/// Jobs that a run of this plan uses: those asked for, by size where `asked` is 0, never more than there are folds.
int jobs_for(const Plan& plan, int asked);

/// Runs every unit of the plan that `results` lacks. Each record is on the disk before `progress` sees it.
/// With several jobs each fold runs on one thread, with one job it has them all; the results are the same.
void run_plan(const Plan& plan, ResultsFolder& results, const RunnerOptions& options,
              const std::function<void(const Record&)>& progress);

/// The records of `results` that belong to the plan, in the plan's order.
std::vector<Record> records_of(const Plan& plan, const std::filesystem::path& folder);

}  // namespace elmx
