#include "run/run_results.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "base/printable.hpp"
#include "experiment/records/choice_files.hpp"
#include "experiment/records/solution_errors.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/summary_of_methods.hpp"
#include "report/tables/tables_of_records.hpp"
#include "results/headline_lines.hpp"
#include "run/invocation.hpp"
#include "terminal.hpp"

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

/// Counts the records that the run itself has made.
std::size_t count_own(const std::vector<Record>& records) {
  return records.size() - static_cast<std::size_t>(std::ranges::count(records, kImported, &Record::family));
}

}  // namespace

void say_part(const Frame& frame, const PlannedTrials& planned, std::vector<Table>& tables) {
  if (planned.part.empty()) return;
  for (Table& table : tables)
    table.remarks.push_back(
        fmt::format("{}: {} of {}", planned.part, count_own(frame.all_records()), counted(planned.all, "trial")));
}

std::vector<Table> write_tables_of_run(const Frame& frame, const PlannedTrials& planned,
                                       const std::filesystem::path& folder) {
  std::vector<Table> tables = tables_of_records(frame);
  if (Table headline = headline_table(headlines_of(frame, folder)); !headline.rows.empty())
    tables.push_back(std::move(headline));
  say_part(frame, planned, tables);
  const std::size_t finished = count_own(frame.all_records());
  for (Table& table : tables) {
    if (finished < planned.here)
      table.remarks.push_back(fmt::format("interrupted: {} of {}", finished, counted(planned.here, "trial")));
  }
  write_tables(folder, tables);
  return tables;
}

void print_results(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const Frame& shown,
                   const std::vector<Table>& tables, const std::filesystem::path& folder) {
  print_summary(shown, folder);
  if (!prints_for_people()) return print_all(tables, folder);
  print_with_file(named(tables, "time"), folder);
  print_diagnostics(outcome, specs, tables, folder);
}

void name_what_is_next(const std::vector<Record>& records, const std::vector<CaseSpec>& specs,
                       const std::filesystem::path& folder) {
  const bool compares =
      std::ranges::any_of(specs, [](const CaseSpec& spec) { return spec.model->algorithms().size() > 1; }) &&
      std::ranges::any_of(records, [](const Record& record) { return record.repeat + record.fold > 0; });
  const std::string word = shell_word(folder.string());
  std::string next = fmt::format("Next: elmx report {} (one page, with diagrams)", word);
  if (compares) next += fmt::format("; elmx compare {} --by algorithm (every pair)", word);
  note_line(next + ".");
}

}  // namespace elmx
