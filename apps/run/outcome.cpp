#include <fmt/core.h>

#include <algorithm>

#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "cli/terminal.hpp"
#include "experiment/records/record.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/row_keys.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/expect.hpp"
#include "results/output.hpp"
#include "run/run_config.hpp"

namespace elmx {
namespace {

void print_all(const std::vector<Table>& tables, const std::filesystem::path& folder) {
  for (const Table& table : tables) {
    if (table.name == "headline") continue;  // print_summary has printed its sentences
    if (table.only_in_file)
      name_file(table, folder, "md");
    else
      print(table);
  }
}

const Table* named(const std::vector<Table>& tables, const std::string& name) {
  const auto found = std::ranges::find(tables, name, &Table::name);
  return found == tables.end() ? nullptr : &*found;
}

void print_with_file(const Table* table, const std::filesystem::path& folder) {
  if (table != nullptr) print(*table, "all columns are in " + table_file(folder, *table, "csv").string());
}

std::string about_solutions(const SolutionErrors& errors) {
  const std::size_t all = errors.solutions + errors.unknown + errors.failed;
  if (all == 0) return "no algorithm here solves a ridge problem";
  std::string text;
  const auto add = [&](std::size_t count, const std::string& what) {
    if (count > 0)
      text += fmt::format("{}{} of {} {}", text.empty() ? "" : ", ", count, counted(all, "solution"), what);
  };
  add(errors.failed, "failed");
  add(errors.too_large, "with a backward error that is too large");
  add(errors.unknown, "without a backward error");
  if (errors.solutions == 0) return text;
  const std::string largest = "the largest backward error is " + show(errors.largest, scientific(1));
  return text.empty() ? counted(all, "solution") + ", " + largest : text + "; " + largest;
}

/// Prints one line about the solutions, their table if something is wrong, and the files of the other tables.
void print_diagnostics(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const std::vector<Table>& tables,
                       const std::filesystem::path& folder) {
  const SolutionErrors errors = solution_errors(outcome.records, specs);
  const Table* table = named(tables, "errors");
  const bool wrong = errors.too_large + errors.failed + outcome.failed + count_doubtful(outcome.records) > 0;
  if (wrong) print_with_file(table, folder);
  std::string files;
  for (const Table& one : tables) {
    if (one.name != "time" && !(wrong && &one == table))
      files += (files.empty() ? "" : ", ") + table_file(folder, one, "md").string();
  }
  print_line("Diagnostics: " + about_solutions(errors) + (files.empty() ? "." : ". Other tables: " + files + "."));
}

void print_results(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const Frame& shown,
                   const std::vector<Table>& tables, const std::filesystem::path& folder) {
  print_summary(shown, folder);
  if (!prints_for_people()) return print_all(tables, folder);
  print_with_file(named(tables, "time"), folder);
  print_diagnostics(outcome, specs, tables, folder);
}

/// Checks the backward error of every solution, and the expectations of the config.
ExitCode check(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const std::filesystem::path& folder) {
  const std::size_t inaccurate = solution_errors(outcome.records, specs).inaccurate();
  note_line(
      fmt::format("check: {} steps with a backward error above the square root of the working precision", inaccurate));
  const std::vector<Expectation>& expectations = specs.front().options.expect;
  if (expectations.empty()) return inaccurate > 0 ? ExitCode::check_failed : ExitCode::ok;
  const ExpectationsFound found = check_expectations(expectations, Frame(outcome.records, describe(outcome.run)));
  write_tables(folder, {found.table});
  print(found.table);
  note_line("check: " + found.table.remarks.back() + " of the expectations in the config");
  return inaccurate + found.unmet > 0 ? ExitCode::check_failed : ExitCode::ok;
}

}  // namespace

ExitCode show_outcome(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const RunRequest& request,
                      bool checks) {
  const Frame shown(with_imported(outcome.records, request.folder).records, describe(outcome.run));
  remove_own_files(request.folder, [](const std::string& name) { return name.starts_with("tables/expect."); });
  const std::vector<Table> tables = write_tables_of_run(shown, outcome.run.planned(), request.folder);
  if (outcome.interrupted) {
    if (!tables.empty()) note_line("tables of the finished trials: " + (request.folder / "tables").string());
    return kInterrupted;
  }
  if (request.shard) {
    note_line(fmt::format("{}: {} of {}, in {}; when all shards are finished, run elmx merge {}", show(*request.shard),
                          outcome.records.size(), counted(outcome.run.planned().all, "trial"), request.folder.string(),
                          shell_word(request.folder.parent_path().string())));
    return outcome.code();
  }
  print_results(outcome, specs, shown, tables, request.folder);
  write_and_name(as_figures(convergence_plots(shown)), request.folder);
  if (prints_for_people() && std::ranges::none_of(tables, [](const Table& one) { return one.name == "headline"; }))
    note_line(next_commands("", shown.run().name, request.folder));
  if (outcome.code() != ExitCode::ok) return outcome.code();
  return checks ? check(outcome, specs, request.folder) : ExitCode::ok;
}

}  // namespace elmx
