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
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/shards/shards.hpp"
#include "plots/plot.hpp"
#include "results/frame.hpp"
#include "table_formats/table.hpp"
#include "terminal.hpp"

namespace elmx {

/// Options of every command.
struct Common {
  std::string data_dir;
  int threads = 0;
  bool fake_clock = false;
  char** argv = nullptr;

  /// --data, else $ELMX_DATA, else data/.
  std::filesystem::path data() const;
};

/// What is wrong with a command line: CLI11 names neither a command that it does not know nor what is
/// allowed.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

inline constexpr int kMostThreads = 1024;
inline constexpr auto kInterrupted = static_cast<ExitCode>(130);

/// Check of an option that counts something: an integer from 0 to `most`.
CLI::Validator count_up_to(int most);

/// What the chosen command does once the command line has been read.
using Action = std::function<ExitCode()>;

// One a file: each adds its options and sets `action` where it is chosen.
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

/// True if a file is the experiment.json of a run.
bool describes_run(const Json& json);

/// Config files in order, each laid over those before it, then --set; an experiment.json stands for the
/// config of its run. Relative paths in a file begin at its own folder; a config without a name is called as
/// the first file. Each file is read once: it may be a pipe. The runs that an experiment.json describes, by
/// file, are added to `runs`. Throws ConfigError.
Json load_config(const std::vector<std::string>& files, const std::vector<std::string>& assignments,
                 std::map<std::string, Json>* runs = nullptr);

/// The results of a folder that has some, and what was imported into it. Says on stderr what is unfinished or
/// hidden. Throws DataError.
Frame frame_of(const StoredRun& stored);

/// The tables of a run into its folder, with a remark where they are of a part of its trials.
std::vector<Table> write_tables_of_run(const Frame& frame, const PlannedTrials& planned,
                                       const std::filesystem::path& folder);

/// A remark at each table whose records are of a part of the trials.
void say_part(const Frame& frame, const PlannedTrials& planned, std::vector<Table>& tables);

/// Ids of the published tables that `elmx reproduce` knows: the files of configs/paper.
std::vector<std::string> paper_ids();

struct RunRequest {
  std::filesystem::path folder;
  bool resume = false;
  bool force = false;         ///< begin anew; with `resume` go on although something has changed
  bool retry_failed = false;  ///< resume, and run again what failed
  int jobs = 0;
  std::optional<ShardNumber> shard;  ///< of which part of the trials the folder is; none: of all
};

struct RunOutcome {
  StoredRun run;
  std::vector<Record> records;  ///< those of the plan that are finished, in its order
  /// The lock of the results folder: keep it until everything is written there.
  std::shared_ptr<const FolderLock> lock;
  bool interrupted = false;
  std::size_t failed = 0;
  bool lacks_model = false;  ///< a final model that was wanted, because its training failed

  ExitCode code() const { return failed > 0 || lacks_model ? ExitCode::trials_failed : ExitCode::ok; }
};

/// The results folder that a command names, else out/NAME by the name of the config. Throws ConfigError.
std::filesystem::path folder_of_run(const std::string& asked, const std::string& name);

/// The outcome of a run of the config that lies in `request.folder`, where nothing is left to run and the
/// data files are the same (find_finished_run): nothing is loaded. Throws UserError(resume_refused) where
/// another run writes there.
std::optional<RunOutcome> finished_outcome(const Json& config, const RunRequest& request, const Common& common);

/// Runs what `request.folder` lacks of the plan, with progress on stderr.
RunOutcome run_config(const Json& config, const Plan& plan, const RunRequest& request, const Common& common);

/// Says on stderr in which file of the results folder the table is.
void name_file(const Table& table, const std::filesystem::path& folder, const std::string& format);

/// Writes the figures into the results folder and names them on stderr.
void write_and_name(const std::vector<Figure>& figures, const std::filesystem::path& folder,
                    const PlotFormats& formats = {"svg"});

/// The table of `elmx list WHAT`. Throws ConfigError.
ExitCode list_names(const std::string& what, const Common& common);

/// Prints everything of the listings that has this name; false where nothing has it. All names are added to
/// `known`.
bool show_name(const std::string& name, const Common& common, std::vector<std::string>& known);

Table plan_table(const Plan& plan);

}  // namespace elmx
