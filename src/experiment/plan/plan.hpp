#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/table/dataset.hpp"
#include "experiment/config/spec.hpp"

namespace elmx {

/// The folds of all repeats, [repeat][fold], as one list that several cases can share.
class Folds {
 public:
  Folds() = default;
  explicit Folds(std::vector<std::vector<Fold>> folds)
      : folds_(std::make_shared<const std::vector<std::vector<Fold>>>(std::move(folds))) {}

  std::size_t size() const { return folds_->size(); }
  const std::vector<Fold>& operator[](std::size_t repeat) const { return (*folds_)[repeat]; }
  const std::vector<Fold>& front() const { return folds_->front(); }
  auto begin() const { return folds_->begin(); }
  auto end() const { return folds_->end(); }
  const void* id() const { return folds_.get(); }

 private:
  std::shared_ptr<const std::vector<std::vector<Fold>>> folds_;
};

/// One case with its data and its folds, checked and ready to run. Sweep points that a family computes
/// together form one case.
struct PlannedCase {
  std::vector<CaseSpec> specs;  ///< specs that differ only in the family's shared member
  std::shared_ptr<const Dataset> data;
  Folds folds;
  Sizes sizes;  ///< sizes of the largest fold
  Cost cost;    ///< cost of one fold, all algorithms, all specs
  /// Costs of the saved models (save_final_models): training the chosen networks of all folds again, if there
  /// is a choice, and training all specs on all rows. Both are zero if no model is saved.
  Work kept_work;
  Cost final_cost;
  double data_bytes = 0;
  double fold_bytes = 0;
  mutable std::shared_ptr<const std::vector<std::string>> all_keys = {};  ///< null: not computed yet

  /// Returns the keys of the trials of one fold (TrialKeys): for each algorithm, one for each spec. The first
  /// call computes the keys of all folds and must not run beside another one.
  std::span<const std::string> keys(std::size_t repeat, std::size_t fold) const;

  /// Return the number of passes of a fold over inputs on disk, and the time of all passes at the rate
  /// measured during loading; 0 if the inputs are in memory.
  double passes() const;
  double read_seconds() const;

  arma::uword tasks() const { return folds.size() * folds.front().size(); }
  arma::uword trials() const { return tasks() * specs.size() * specs.front().model->algorithms.size(); }
  const CaseSpec& spec() const { return specs.front(); }
  /// Returns the fold of the final model: all rows are the training part, and a single row is the test part,
  /// because trainers need a nonempty one.
  Fold all_rows() const;
  /// Returns true if folds gain more from running in parallel than from several threads each. Always false
  /// while single steps are measured.
  bool small() const;
};

/// The number of folds that run at once: of small folds, and of the large folds, which run after them.
struct Jobs {
  int small = 1;
  int large = 1;
};

/// Memory for a fold and its task, in addition to the row numbers.
inline constexpr double kFoldBytes = 1000;

/// The limit of the cache that trials share, as a share of the available memory.
inline constexpr double kCacheShare = 0.25;

struct Plan {
  std::vector<PlannedCase> cases;
  double available = 0;                 ///< available memory before anything was loaded
  double load_seconds = 0;              ///< time to make the plan: reading data, drawing folds
  const Communicator* ranks = &kAlone;  ///< the ranks that share each trial

  arma::uword trials() const;
  /// Estimates the peak memory: all data sets, data shared by trials, the largest folds that run at once, and
  /// the program itself.
  double peak_bytes(const Jobs& jobs) const;
  /// Returns the bytes of the cache for stacks (TrainedMembers), or 0 if the cache would take too much
  /// memory.
  double members_bytes() const;
  /// Returns the work of all trials.
  Work work() const;
};

/// A data set that is already in memory, and the options (write_options) that it was read with.
struct LoadedData {
  Json options;
  std::shared_ptr<const Dataset> data;
};

/// The names of the data sets of an experiment in its results: the name of a set, or the shortest unique end
/// of the path of a file: "d.csv", or "A/d.csv" and "B/d.csv".
class DataNames {
 public:
  explicit DataNames(const std::vector<CaseSpec>& specs);

  const std::string& of(const DataOptions& data) const { return names_.at(key(data)); }

 private:
  static std::string key(const DataOptions& data);

  std::map<std::string, std::string> names_;
};

/// Checks the data and the split of each case as far as no data are needed, for `elmx validate` and
/// make_plan. Throws ConfigError.
void check_without_data(const std::vector<CaseSpec>& specs);

/// Expands the config, loads every data set once and draws the folds. Throws ConfigError or DataError for
/// everything that could stop a run, before anything is written, such as a case that these ranks cannot
/// share.
///
/// ranks: they share each trial, and must outlive the plan; costs are per rank. loaded: a data set to reuse.
Plan make_plan(const Json& config, const std::filesystem::path& data_dir, const Communicator& ranks = kAlone,
               std::optional<LoadedData> loaded = std::nullopt);

/// The call of the program: the facts outside the config that are needed to repeat a run.
struct Invocation {
  std::string command;  ///< the command line, quoted for a shell
  std::string folder;   ///< the folder at which relative paths start
  std::string data_folder;
};

/// Returns the content of experiment.json: the config as given and with all defaults, the program, the
/// machine, and the data with their checksums.
Json describe_experiment(const Json& config, const Plan& plan, const Invocation& invocation = {});

/// Returns the content of data.json: {data set: {"sha256": [...], "report": {...}}}.
Json describe_reading(const Plan& plan);

/// Throws ConfigError if the plan needs more memory than was available before it was made (memory_limit).
void refuse_what_cannot_fit(const Plan& plan, const Jobs& jobs);

// Tasks (planned_tasks.cpp)

/// One fold of the points that are computed together. There are several `cases` if these points do not fit
/// into memory at once.
struct PlannedTask {
  std::span<const PlannedCase> cases;
  std::size_t repeat = 0, fold = 0;
};

/// Returns the tasks in the plan's order, which does not depend on the memory of the machine.
std::vector<PlannedTask> tasks_of(const Plan& plan);

/// Returns the keys of the trials of a task: for each algorithm, the points in the order of the config.
std::vector<std::string> trial_keys(const PlannedTask& task);

// Time (planned_cost.cpp)

/// The planned time above which a number must be mistyped, and the time above which a run warns at its start.
inline constexpr double kMostSeconds = 100 * 365.25 * 86400, kLongSeconds = 86400;

/// Estimates the time of a plan: loading (as measured), arithmetic and memory traffic at the rates of this
/// machine, and the overhead of each trial.
double planned_seconds(const Plan& plan);

/// Estimates the time of work and the overhead of trials at the fixed rates of an ordinary machine with two
/// cores. The result does not depend on this machine.
double ordinary_seconds(const Work& work, std::size_t trials = 0);

/// Estimates one trial of a case at the rates of an ordinary machine: the weight of the trial in the work of
/// a run.
double trial_seconds(const PlannedCase& planned);

/// Estimates the time from the catalogue's facts about the data, at the rates of an ordinary machine, without
/// reading data or measuring anything. Files, and costs that a family cannot know without its data, count as
/// nearly nothing.
double likely_seconds(const std::vector<CaseSpec>& specs);

/// Throws ConfigError if the planned time exceeds kMostSeconds and can only be a mistake.
void refuse_beyond_time(double seconds);

/// Formats a duration: "12 s", "3 min 5 s", "2 h 10 min", "12 days", "3.2e+05 years".
std::string show_seconds(double seconds);

// Warnings (plan_warnings.cpp)

/// Returns one sentence for each option of a config without effect: identical repeats, a choice by an error
/// that an algorithm does not have, a stratification without effect. Needs no data.
std::vector<std::string> config_warnings(const std::vector<CaseSpec>& specs);

/// Returns these warnings for a plan, and warnings about its data and folds: classes that a test part lacks,
/// large unscaled inputs, targets far from 0 for a network without a constant term.
std::vector<std::string> plan_warnings(const Plan& plan);

}  // namespace elmx
