#include <iostream>
#include <set>
#include <tuple>

#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/provenance.hpp"
#include "experiment/records/results.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/tables_of_records.hpp"

namespace elmx {
namespace {

/// Returns the plan of the run that made the folder. Throws DataError if its data have changed.
Plan plan_of(const std::filesystem::path& folder, const Common& common) {
  const std::filesystem::path file = folder / "experiment.json";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw DataError(file.string(), "does not exist; use the results folder of a run");
  std::map<std::string, Json> runs;
  const LayeredConfig config = load_config({file.string()}, {}, &runs);
  if (runs.empty()) throw DataError(file.string(), "is not the description of a run");
  Plan plan = config.check([&] { return make_plan(config.json, common.data()); });
  const Json now = describe_experiment(config.json, plan);
  if (const std::string changed = changed_data(runs.begin()->second, now); !changed.empty())
    throw DataError(file.string(), changed);
  return plan;
}

/// Formats "5 folds for each of 4 cases": cases share the folds of their data set.
std::string folds_and_cases(const std::vector<Record>& records) {
  std::set<std::string> cases;
  std::set<std::tuple<std::string, arma::uword, arma::uword>> folds;
  for (const Record& record : records) {
    cases.insert(record.experiment_case);
    folds.insert({record.dataset, record.repeat, record.fold});
  }
  const std::string each = cases.size() > 1 ? " for each of " + std::to_string(cases.size()) + " cases" : "";
  return counted(folds.size(), "fold") + each;
}

ExitCode import_predictions(const std::filesystem::path& folder, const std::string& file, const std::string& name,
                            const Common& common) {
  const Plan plan = plan_of(folder, common);
  refuse_wrong_name(name, plan);
  const std::vector<FoldSet> sets = fold_sets(plan);
  const std::vector<Record> records = records_of(name, sets, read_external_predictions(file, sets));
  const FolderLock lock(folder);
  const bool replaced = write_imported(folder, name, records);
  std::cerr << printable(name) << ": " << folds_and_cases(records) << " imported into "
            << printable((folder / kImportedFolder).string())
            << (replaced ? ", replacing the earlier import of this name" : "") << '\n';
  write_tables(folder, tables_of_records(frame_of(StoredRun(folder))));
  return ExitCode::ok;
}

}  // namespace

void add_import(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand(
      "import", "add the predictions of your own method on the folds of a run (elmx folds) to its results");
  auto folder = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  auto name = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "results folder of the run")->required();
  command
      ->add_option("PREDICTIONS", *file, "CSV file: row, repeat, fold, prediction (docs/how_to/compare_own_methods.md)")
      ->required();
  command->add_option("--as", *name, "name of the method in the results")->required();
  command->callback(
      [=, &common, &action] { action = [=, &common] { return import_predictions(*folder, *file, *name, common); }; });
}

}  // namespace elmx
