#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "experiment/config/layered_config.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/shards/shards.hpp"
#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"
#include "report/plots/plot.hpp"
#include "terminal.hpp"

namespace elmx {

/// Options of every command.
struct Common {
  std::string data_dir;
  int threads = 0;
  bool fake_clock = false;
  char** argv = nullptr;

  /// Returns the data folder: --data, else $ELMX_DATA, else data/.
  std::filesystem::path data() const;
};

/// Explains a parse error; CLI11's own message names neither the unknown command nor the known ones.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

inline constexpr int kMostThreads = 1024;
inline constexpr auto kInterrupted = static_cast<ExitCode>(130);

/// Returns a validator for a count: an integer from 0 to `most`.
CLI::Validator count_up_to(int most);

/// The work of the chosen command, called after the command line has been parsed.
using Action = std::function<ExitCode()>;

// Each function adds one command with its options, and sets `action` if the user chooses this command.
void add_run(CLI::App& app, const Common& common, Action& action);
void add_init(CLI::App& app, const Common& common, Action& action);
void add_plan(CLI::App& app, const Common& common, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_slurm(CLI::App& app, const Common& common, Action& action);
void add_validate(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);
void add_list(CLI::App& app, const Common& common, Action& action);
void add_show(CLI::App& app, const Common& common, Action& action);
void add_help(CLI::App& app, const Common& common, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_man(CLI::App& app, Action& action);
void add_data(CLI::App& app, const Common& common, Action& action);
void add_table(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, const Common& common, Action& action);
void add_predict(CLI::App& app, const Common& common, Action& action);
void add_folds(CLI::App& app, const Common& common, Action& action);
void add_import(CLI::App& app, const Common& common, Action& action);
void add_info(CLI::App& app, Action& action);

/// Returns true if the file is the experiment.json of a run.
bool describes_run(const Json& json);

/// Merges config files, later files override earlier ones, and applies --set last. An experiment.json stands
/// for the config of its run, and is added to `runs` under its file name. Relative paths start at the folder
/// of their file; a config without a name is named after the first file. Each file is read only once, so that
/// it may be a pipe. Throws ConfigError.
LayeredConfig load_config(const std::vector<std::string>& files, const std::vector<std::string>& assignments,
                          std::map<std::string, Json>* runs = nullptr);

/// Returns the results of a folder and the predictions imported into it. Prints to stderr what is unfinished or
/// hidden. Throws DataError if the folder has no results.
Frame frame_of(const StoredRun& stored);

/// Writes the tables of a run into its folder, with a remark if they cover only a part of its trials.
std::vector<Table> write_tables_of_run(const Frame& frame, const PlannedTrials& planned,
                                       const std::filesystem::path& folder);

/// Adds a remark to each table whose records cover only a part of the trials.
void say_part(const Frame& frame, const PlannedTrials& planned, std::vector<Table>& tables);

/// Returns the ids of the published tables that `elmx reproduce` knows: the files of configs/paper.
std::vector<std::string> paper_ids();

struct RunRequest {
  std::filesystem::path folder;
  bool resume = false;
  bool force = false;         ///< start from scratch; with `resume`: continue although something has changed
  bool retry_failed = false;  ///< resume, and run failed trials again
  int jobs = 0;
  std::optional<ShardNumber> shard;  ///< the part of the trials that the folder holds; none = all trials
};

struct RunOutcome {
  StoredRun run;
  std::vector<Record> records;  ///< the finished records of the plan, in plan order
  /// The lock of the results folder. Keep it until everything is written there.
  std::shared_ptr<const FolderLock> lock;
  bool interrupted = false;
  std::size_t failed = 0;
  bool lacks_model = false;  ///< a requested final model is missing because its training failed

  ExitCode code() const { return failed > 0 || lacks_model ? ExitCode::trials_failed : ExitCode::ok; }
};

/// Returns the results folder that the command names, else out/NAME with the name of the config. Throws
/// ConfigError.
std::filesystem::path folder_of_run(const std::string& asked, const std::string& name);

/// Returns the outcome of a finished run of this config in `request.folder` without loading data; none if
/// trials are left to run or the data files differ (find_finished_run). Throws UserError(resume_refused) if
/// another run is writing there.
std::optional<RunOutcome> finished_outcome(const Json& config, const RunRequest& request, const Common& common);

/// Runs the trials of the plan that `request.folder` lacks, with progress on stderr.
RunOutcome run_config(const LayeredConfig& config, const Plan& plan, const RunRequest& request, const Common& common);

/// Prints the file of the table in the results folder to stderr.
void name_file(const Table& table, const std::filesystem::path& folder, const std::string& format);

/// Writes the figures into the results folder and names them on stderr.
void write_and_name(const std::vector<Figure>& figures, const std::filesystem::path& folder,
                    const PlotFormats& formats = {"svg"});

/// The table of `elmx list WHAT`. Throws ConfigError.
ExitCode list_names(const std::string& what, const Common& common);

/// Prints every entry of the listings that has this name, and adds all names to `known`. Returns false if no
/// entry has it.
bool show_name(const std::string& name, const Common& common, std::vector<std::string>& known);

Table plan_table(const Plan& plan);

}  // namespace elmx
