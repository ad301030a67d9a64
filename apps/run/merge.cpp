#include <fmt/core.h>

#include <iostream>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/shards/shards.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/plots/row_plots.hpp"
#include "results/output.hpp"

namespace elmx {
namespace {

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
  const std::filesystem::path output = output_of(arguments);
  const std::vector<ShardFolder> shards = shards_in(folders);
  const MergedShards merged = merge_shards(shards, arguments.force);
  ResultsFolder results(output, merged.experiment, arguments.force ? Earlier::replace : Earlier::resume);
  write_merged(merged, results);
  std::error_code ignored;
  const std::filesystem::path reading = shards.front().path / kDataFile;
  if (std::filesystem::exists(reading, ignored)) write_own_file(output, kDataFile, read_file(reading));
  const StoredRun stored(output);
  const std::vector<Record> records = stored.records(results.written());
  const Frame frame(with_imported(records, output).records, describe(stored));
  write_tables_of_run(frame, stored.planned(), output);
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

Command merge_command() {
  return command("merge", "merge the shards of a run (elmx run --shard I/N)", merge_folders,
                 {{"elmx merge out/first", "merge the shards in one folder"},
                  {"elmx merge on_a on_b on_c -o out/first", "merge the shards of machines without a shared folder"}});
}

}  // namespace elmx
