#include <fmt/core.h>

#include <iostream>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "commands.hpp"
#include "report/external_predictions/fold_sets.hpp"

namespace elmx {
namespace {

/// Prints a line per split to stderr: "split 2 of yacht.csv: case ten folds".
void name_splits(const std::vector<FoldSet>& sets) {
  if (!several_splits(sets)) return;
  for (const FoldSet& set : sets) {
    std::string uses;
    for (const FoldUse& use : set.uses) {
      std::string text = use.experiment_case.empty() ? "" : "case " + use.experiment_case;
      for (const auto& [place, value] : use.point)
        text += (text.empty() ? "" : " ") + fmt::format("{}={}", last_component(place), value.dump());
      uses += (uses.empty() || text.empty() ? "" : ", ") + text;
    }
    std::cerr << printable(fmt::format("split {} of {}: {}", set.split, set.data->name, uses)) << '\n';
  }
}

ExitCode folds(const std::vector<std::string>& configs, const std::vector<std::string>& assignments,
               const std::string& output, const Common& common) {
  const LayeredConfig config = load_config(configs, assignments);
  const Plan plan = config.check([&] { return make_plan(config.json, common.data()); });
  const std::vector<FoldSet> sets = fold_sets(plan);
  const std::string csv = folds_csv(sets);
  name_splits(sets);
  if (output.empty())
    print_output(csv);
  else
    write_output(output, csv);
  return ExitCode::ok;
}

}  // namespace

void add_folds(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand(
      "folds", "write the folds of an experiment as CSV (row, repeat, fold, part), for use with your own method");
  auto configs = std::make_shared<std::vector<std::string>>();
  auto assignments = std::make_shared<std::vector<std::string>>();
  auto output = std::make_shared<std::string>();
  command->add_option("CONFIG", *configs, "config files, or the experiment.json of a run")->required();
  command->add_option("--set", *assignments, "set a config value: path=value")->allow_extra_args(false);
  command->add_option("-o,--output", *output, "file to write (default: stdout)");
  command->callback(
      [=, &common, &action] { action = [=, &common] { return folds(*configs, *assignments, *output, common); }; });
}

}  // namespace elmx
