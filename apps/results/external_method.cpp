#include <fmt/format.h>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/config/layered_config.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/tables.hpp"
#include "results/output.hpp"

namespace elmx {
namespace {

struct FoldsArguments {
  ConfigArguments config;
  std::string output;

  void flags(Flags& flag) {
    config.flags(flag, "config files, or the experiment.json of a run");
    flag("-o,--output", output, "file to write (default: stdout)");
  }
};

struct ImportArguments {
  std::string folder, file, name;

  void flags(Flags& flag) {
    flag("DIR", folder, "results folder of the run", {.required = true});
    flag("PREDICTIONS", file, "CSV file: row, repeat, fold, prediction (docs/how_to/compare_own_methods.md)",
         {.required = true});
    flag("--as", name, "name of the method in the results", {.required = true});
  }
};

/// Prints a line per split to stderr: "split 2 of yacht.csv: case ten folds".
void name_splits(const std::vector<FoldSet>& sets) {
  if (!several_splits(sets)) return;
  for (const FoldSet& set : sets) {
    std::vector<std::string> uses;
    for (const FoldUse& use : set.uses) {
      std::string& text = uses.emplace_back(use.experiment_case.empty() ? "" : "case " + use.experiment_case);
      for (const auto& [place, value] : use.point)
        text += (text.empty() ? "" : " ") + fmt::format("{}={}", last_component(place), value.dump());
    }
    note_line(fmt::format("split {} of {}: {}", set.split, set.data->name, fmt::join(uses, ", ")));
  }
}

ExitCode folds(const FoldsArguments& arguments, const Common& common) {
  const LayeredConfig config = load_config(arguments.config.files, arguments.config.assignments);
  const Plan plan = config.check([&] { return make_plan(config.json, common.data()); });
  const std::vector<FoldSet> sets = fold_sets(plan);
  const std::string csv = folds_csv(sets);
  name_splits(sets);
  if (arguments.output.empty())
    print_output(csv);
  else
    write_output(arguments.output, csv);
  return ExitCode::ok;
}

/// Returns the plan of the run that made the folder. Throws DataError if its data have changed.
Plan plan_of(const std::filesystem::path& folder, const Common& common) {
  const std::filesystem::path file = folder / "experiment.json";
  if (!is_there(file)) throw DataError(file.string(), "does not exist; use the results folder of a run");
  std::map<std::string, Json> runs;
  const LayeredConfig config = load_config({file.string()}, {}, &runs);
  if (runs.empty()) throw DataError(file.string(), "describes no run; use the results folder of a run");
  Plan plan = config.check([&] { return make_plan(config.json, common.data()); });
  const Json now = describe_experiment(config.json, plan);
  if (const std::string changed = changed_data(runs.begin()->second, now); !changed.empty())
    throw DataError(file.string(), changed);
  return plan;
}

ExitCode import_predictions(const ImportArguments& arguments, const Common& common) {
  const std::filesystem::path folder = arguments.folder;
  const std::string& name = arguments.name;
  const Plan plan = plan_of(folder, common);
  refuse_wrong_name(name, plan);
  const std::vector<FoldSet> sets = fold_sets(plan);
  const std::vector<Record> records = records_of_predictions(arguments.file, name, sets);
  const FolderLock lock(folder);
  const bool replaced = write_imported(folder, name, records);
  note_line(fmt::format("{}: {} imported into {}{}", name, counted(records.size(), "trial"),
                        (folder / kImportedFolder).string(),
                        replaced ? ", replacing the earlier import of this name" : ""));
  write_tables(folder, tables_of_records(frame_of(StoredRun(folder))));
  return ExitCode::ok;
}

}  // namespace

Command folds_command() {
  return command(
      "folds", "write the folds of an experiment as CSV (row, repeat, fold, part), for use with your own method", folds,
      {{"elmx folds first.json -o folds.csv", "write the training and test rows of each fold"},
       {"elmx folds out/first/experiment.json", "write the folds of an existing run"}});
}

Command import_command() {
  return command("import", "add the predictions of your own method on the folds of a run (elmx folds) to its results",
                 import_predictions,
                 {{"elmx import out/first predictions.csv --as forest", "add your own method to the results of a run"},
                  {"elmx import out/first predictions.csv --as \"random forest\"", "use a name with a space"}});
}

}  // namespace elmx
