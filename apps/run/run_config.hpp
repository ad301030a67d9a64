#pragma once

#include "base/machine/clock.hpp"
#include "cli/command.hpp"
#include "experiment/config/layered_config.hpp"
#include "experiment/plan/generated_config.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/shards/shards.hpp"
#include "report/formats/table.hpp"

namespace elmx {

struct RunRequest {
  std::filesystem::path folder;
  bool resume = false;
  bool force = false;         ///< start from scratch; with `resume`: continue although something has changed
  bool retry_failed = false;  ///< resume, and run failed trials again
  int jobs = 0;
  bool untested_blas = false;        ///< run although a kernel of the BLAS library is wrong
  std::optional<ShardNumber> shard;  ///< the part of the trials that the folder holds; none = all trials

  /// Lists --jobs, --resume, --retry-failed, --force and --untested-blas.
  void flags(Flags& flag);
};

/// Lists --target, --task and --budget.
void list_data_flags(Flags& flag, GivenData& given);

struct RunOutcome {
  StoredRun run;
  std::vector<Record> records;  ///< the finished records of the plan, in plan order
  /// The lock of the results folder. Keep it until everything is written there.
  std::shared_ptr<const FolderLock> lock;
  bool interrupted = false;
  bool lacks_model = false;  ///< a requested final model is missing because its training failed

  std::size_t failed() const;
  ExitCode code() const { return failed() > 0 || lacks_model ? ExitCode::trials_failed : ExitCode::ok; }
};

/// Returns the results folder that the command names, else out/NAME with the name of the config. Throws
/// ConfigError.
std::filesystem::path folder_of_run(const std::string& asked, const std::string& name);

/// Returns a function that makes the clock of a fold.
std::function<std::unique_ptr<Clock>()> clocks_of(const Common& common);

/// Returns the outcome of a finished run of this config in `request.folder` without loading data; none if
/// trials are left to run or the data files differ (find_finished_run). Throws UserError(resume_refused) if
/// another run is writing there.
std::optional<RunOutcome> finished_outcome(const Json& config, const RunRequest& request, const Common& common);

/// Runs the trials of the plan that `request.folder` lacks, with progress on stderr, and trains the final
/// models.
RunOutcome run_config(const LayeredConfig& config, const Plan& plan, const RunRequest& request, const Common& common);

Table plan_table(const Plan& plan);

}  // namespace elmx
