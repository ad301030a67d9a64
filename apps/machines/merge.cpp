#include <fmt/core.h>

#include <iostream>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/provenance.hpp"
#include "experiment/shards/merged_shards.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/plots/row_plots.hpp"
#include "run/invocation.hpp"

namespace elmx {
namespace {

struct MergeArguments {
  std::vector<std::string> folders;
  std::string output;
  bool force = false;
};

/// Returns the output folder: -o, else the single folder that contains the shards.
std::filesystem::path output_of(const MergeArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  if (arguments.folders.size() == 1 && has_shards(arguments.folders.front())) return arguments.folders.front();
  throw ConfigError("merge", "needs -o DIR, unless all shards are in one folder");
}

bool saves_models(const Json& experiment) {
  for (const Json& one : experiment.value("resolved", Json::array())) {
    if (one.value("/options/save_model"_json_pointer, false)) return true;
  }
  return false;
}

ExitCode merge_folders(const MergeArguments& arguments) {
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
  const std::vector<Record> records = stored.records();
  const Frame frame(with_imported(records, output).records, describe(stored));
  write_tables_of_run(frame, stored.planned(), output);
  write_and_name(as_figures(convergence_plots(frame)), output);
  const std::string folder = shell_word(output.string());
  std::cerr << printable(fmt::format("merged {} of {} into {}", counted(records.size(), "trial"),
                                     counted(shards.size(), "shard"), output.string()))
            << '\n';
  std::string next = fmt::format("Next: elmx table {0}; elmx report {0}", folder);
  if (saves_models(merged.experiment))
    next += fmt::format("; elmx run {0}/experiment.json -o {0} (to train the final models)", folder);
  std::cerr << printable(next) << '\n';
  if (merged.failed == 0) return ExitCode::ok;
  std::cerr << merged.failed << " of " << counted(records.size(), "trial") << " failed\n";
  return ExitCode::trials_failed;
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("merge", "merge the shards of a run (elmx run --shard I/N)");
  auto arguments = std::make_shared<MergeArguments>();
  command->add_option("DIR", arguments->folders, "shard folders, or folders that contain them")->required();
  command->add_option("-o,--output", arguments->output, "results folder of the merged run (default: the only DIR)");
  command->add_flag("--force", arguments->force,
                    "replace existing results; accept shards of different programs or BLAS kernels");
  command->callback([=, &action] { action = [=] { return merge_folders(*arguments); }; });
}

}  // namespace elmx
