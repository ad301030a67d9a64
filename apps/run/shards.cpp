#include "experiment/shards/shards.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "linalg/blas.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/plots/row_plots.hpp"
#include "results/output.hpp"
#include "run/run_config.hpp"

namespace elmx {
namespace {

constexpr double kShardSeconds = 1800;     // planned time of a shard without --shards
constexpr std::size_t kMostArray = 1000;   // the default MaxArraySize of Slurm is 1001
constexpr std::size_t kLikelyAtOnce = 20;  // running jobs without --at-once

struct SlurmArguments {
  ConfigArguments config;
  std::string folder, script, partition, account;
  int shards = 0, at_once = 0;

  void flags(Flags& flag) {
    const FlagRules up_to_array{.least = 0, .most = kMostArray};
    config.flags(flag, "config files; later ones override earlier ones");
    flag("-o,--output", folder, "results folder, visible to all nodes (default out/NAME)");
    flag("--shards", shards, "number of shards (0 = planned for half an hour each)", up_to_array);
    flag("--at-once", at_once, "jobs to run at once (0 = all, but at most 20)", up_to_array);
    flag("--partition", partition, "Slurm partition");
    flag("--account", account, "Slurm account");
    flag("--script", script, "file to write (default: stdout)");
  }
};

/// The path with "./" in front if it begins with a dash, which programs would read as an option.
std::string path_argument(const std::string& path) { return path.starts_with('-') ? "./" + path : path; }

/// Slurm takes a backslash out of the name of a log, and then replaces nothing in it.
std::string folder_with_logs(const std::filesystem::path& folder) {
  const std::string absolute = std::filesystem::absolute(folder).string();
  if (absolute.find('\\') == std::string::npos) return absolute;
  throw ConfigError("-o", fmt::format("Slurm cannot write logs into {}, whose path contains a backslash", absolute));
}

std::size_t number_of_shards(const Plan& plan, int asked, double seconds) {
  const std::size_t tasks = shards_of(plan, 1).front().tasks, most = std::min(tasks, kMostArray);
  if (asked > 0 && static_cast<std::size_t>(asked) > most)
    throw ConfigError("--shards", fmt::format("expected at most {}, found {} (the plan has {}: case, repeat and fold)",
                                              most, asked, counted(tasks, "task")));
  if (asked > 0) return static_cast<std::size_t>(asked);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(seconds / kShardSeconds)),
                                 std::min<std::size_t>(2, most), most);
}

/// Small folds take a core each, the others take all.
int useful_threads(const Plan& plan, const std::vector<PlannedShard>& shards) {
  const std::size_t tasks = std::ranges::max_element(shards, {}, &PlannedShard::tasks)->tasks;
  const bool all_small = std::ranges::all_of(plan.cases, &PlannedCase::small);
  return all_small ? static_cast<int>(std::min(static_cast<std::size_t>(threads()), tasks)) : threads();
}

/// Estimates the time to train models after the merge: all points on all rows, and the choices of the folds.
double seconds_of_models(const Plan& plan, double seconds) {
  const bool saves = std::ranges::any_of(plan.cases, [](const PlannedCase& c) { return c.spec().options.save_model; });
  return saves ? 2 * seconds / static_cast<double>(plan.cases.front().tasks()) + plan.load_seconds : 0;
}

/// The arguments of elmx run, without -o.
std::vector<std::string> run_arguments(const SlurmArguments& arguments, const Common& common) {
  std::vector<std::string> words;
  for (const std::string& config : arguments.config.files) words.push_back(path_argument(config));
  for (const std::string& assignment : arguments.config.assignments) words.insert(words.end(), {"--set", assignment});
  if (is_folder(common.data()))
    words.insert(words.end(), {"--data", std::filesystem::absolute(common.data()).lexically_normal().string()});
  if (common.fake_clock) words.emplace_back("--fake-clock");
  return words;
}

ExitCode slurm(const SlurmArguments& arguments, const Common& common) {
  provide_blas_buffers();
  const LayeredConfig config = load_config(arguments.config.files, arguments.config.assignments);
  const Plan plan = config.check([&] { return make_plan(config.json, common.data()); });
  const std::vector<PlannedShard> shards =
      shards_of(plan, number_of_shards(plan, arguments.shards, planned_seconds(plan)));
  set_threads(useful_threads(plan, shards));
  const double seconds = planned_seconds(plan);
  config.check([&] {
    refuse_what_cannot_fit(plan, jobs_for(plan, 0));
    refuse_beyond_time(seconds);
  });

  SlurmScript script;
  script.program = std::filesystem::read_symlink("/proc/self/exe").string();
  script.working_folder = std::filesystem::current_path().string();
  script.folder = folder_with_logs(
      config.check([&] { return folder_of_run(arguments.folder, plan.cases.front().spec().options.name); }));
  script.run_arguments = run_arguments(arguments, common);
  script.name = plan.cases.front().spec().options.name;
  script.partition = arguments.partition;
  script.account = arguments.account;
  script.trials = plan.trials();
  script.shards = shards.size();
  script.at_once =
      arguments.at_once > 0 ? static_cast<std::size_t>(arguments.at_once) : std::min(kLikelyAtOnce, shards.size());
  script.threads = threads();
  script.planned_bytes = plan.peak_bytes(jobs_for(plan, 0));
  script.planned_seconds =
      plan.load_seconds + std::ranges::max_element(shards, {}, &PlannedShard::part)->part * seconds;
  script.model_seconds = seconds_of_models(plan, seconds);
  const std::string text = text_of(script);
  if (arguments.script.empty()) {
    std::cout << text;
  } else {
    write_output(arguments.script, text);
    note_line(fmt::format("{} in {}: {} at once; submit with: bash {}", counted(shards.size(), "shard"),
                          arguments.script, counted(script.at_once, "job"),
                          shell_word(path_argument(arguments.script))));
  }
  return ExitCode::ok;
}

struct MergeArguments {
  std::vector<std::string> folders;
  std::string output;
  bool force = false;

  void flags(Flags& flag) {
    flag("DIR", folders, "shard folders, or folders that contain them", {.required = true});
    flag("-o,--output", output, "results folder of the merged run (default: the only DIR)");
    flag("--force", force, "replace existing results; accept shards of different programs or BLAS kernels");
  }
};

/// Returns the output folder: -o, else the single folder that contains the shards.
std::filesystem::path output_of(const MergeArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  if (arguments.folders.size() == 1 && has_shards(arguments.folders.front())) return arguments.folders.front();
  throw ConfigError("merge", "needs -o DIR, unless all shards are in one folder");
}

ExitCode merge_folders(const MergeArguments& arguments, const Common&) {
  const std::vector<std::filesystem::path> folders(arguments.folders.begin(), arguments.folders.end());
  const std::vector<ShardFolder> shards = shards_in(folders);
  const std::filesystem::path output = output_of(arguments);
  const MergedShards merged = merge_shards(shards, arguments.force);
  const std::filesystem::path reading = shards.front().path / kDataFile;
  const std::string how_read = is_there(reading) ? read_file(reading) : "";
  ResultsFolder results(output, merged.experiment, arguments.force ? Earlier::replace : Earlier::resume);
  write_merged(merged, results);
  if (!how_read.empty()) write_own_file(output, kDataFile, how_read);
  const StoredRun stored(output);
  const std::vector<Record> records = stored.records(results.written());
  const Frame frame(with_imported(records, output).records, describe(stored));
  write_tables_of_run(frame, headlines_of(frame, output), stored.planned(), output);
  write_and_name(as_figures(convergence_plots(frame)), output);
  const std::string folder = shell_word(output.string());
  note_line(fmt::format("merged {} of {} into {}", counted(records.size(), "trial"), counted(shards.size(), "shard"),
                        output.string()));
  std::string next = fmt::format("Next: elmx table {0}; elmx report {0}", folder);
  if (!final_models_wanted(merged.experiment).empty())
    next += fmt::format("; elmx run {0}/experiment.json -o {0} (to train the final models)", folder);
  note_line(next);
  if (merged.failed == 0) return ExitCode::ok;
  note_line(fmt::format("{} of {} failed", merged.failed, counted(records.size(), "trial")));
  return ExitCode::trials_failed;
}

}  // namespace

Command slurm_command() {
  return command(
      "slurm", "write a script that submits a run to Slurm as a job array", slurm,
      {{"elmx slurm first.json --shards 8 --script first.sh", "write a script that submits eight jobs and a merge"},
       {"elmx slurm first.json --shards 100 --at-once 20 --partition short", "submit 100 jobs, at most 20 at once"}});
}

Command merge_command() {
  return command("merge", "merge the shards of a run (elmx run --shard I/N)", merge_folders,
                 {{"elmx merge out/first", "merge the shards in one folder"},
                  {"elmx merge on_a on_b on_c -o out/first", "merge the shards of machines without a shared folder"}});
}

}  // namespace elmx
