#include <fmt/core.h>

#include <set>

#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "cli/terminal.hpp"
#include "experiment/plan/plan.hpp"
#include "linalg/blas.hpp"
#include "published/paper.hpp"
#include "report/formats/table_formats.hpp"
#include "report/plots/row_plots.hpp"
#include "results/output.hpp"
#include "run/run_config.hpp"
#include "selftest/checked_kernels.hpp"

namespace elmx {
namespace {

/// The symbolic cells that follow from the algorithms themselves.
SymbolicCells symbolic_cells() {
  SymbolicCells cells;
  for (const AlgorithmInfo& row : algorithms()) {
    cells[{std::string(row.name), "intermediate_flops"}] = row.intermediate_flops;
    cells[{std::string(row.name), "weight_flops"}] = row.weight_flops;
  }
  return cells;
}

struct ReproduceArguments {
  std::vector<std::string> ids, assignments;
  std::string folder = "out/paper";
  RunRequest request;
  bool full = false, summary = false, judge = false;

  void flags(Flags& flag) {
    flag("ID", ids, "published tables of elmx list experiments: elm-table2, ...");
    flag("--set", assignments, "set a config value: path=value");
    flag("-o,--output", folder, "folder for the results (default out/paper)");
    request.flags(flag);
    flag("--summary", summary,
         "run nothing: count the verdicts in the existing results of the given tables, or of all tables");
    flag("--judge", judge, "run nothing: judge the finished trials");
    flag("--full", full, "use the full scale, which decides the claims, instead of the smaller default");
  }
};

std::filesystem::path folder_of(const ReproduceArguments& arguments, const std::string& id, const Json& config) {
  return std::filesystem::path(arguments.folder) / config.value("name", id);
}

/// Returns one line about the difference between the config of the existing trials and the table's current
/// config, or "" if they agree.
std::string other_config(const std::filesystem::path& folder, Json now) {
  Json there = StoredRun(folder).experiment().value("config", Json::object());
  for (Json* config : {&there, &now}) {
    for (const char* member : {"paper", "full"}) config->erase(member);
  }
  const Json steps = Json::diff(there, now);
  if (steps.empty()) return "";
  const Json::json_pointer place(steps[0].at("path").get<std::string>());
  const auto at_place = [&](const Json& config) {
    return config.contains(place) ? config.at(place).dump() : "nothing";
  };
  return fmt::format("the trials were run with other settings than the table has now: {} was {} and is now {}{}",
                     place.to_string(), at_place(there), at_place(now),
                     steps.size() > 1 ? fmt::format(" ({} more differ)", steps.size() - 1) : "");
}

/// Runs (or resumes) one published table and prints published and measured values side by side. Returns the
/// number of cells that disagree or are not available; undecided cells do not count.
std::size_t reproduce_one(const std::string& id, const ReproduceArguments& arguments, const Common& common,
                          std::set<std::filesystem::path>& begun) {
  const PaperTable paper = paper_table(id, arguments.assignments, arguments.full);
  const Json& config = paper.config.json;
  const auto new_plan = [&] { return paper.config.check([&] { return make_plan(config, common.data()); }); };
  const bool trained = config.contains("model");
  const std::filesystem::path folder = folder_of(arguments, id, config);  // tables of one run share it
  Frame frame({});
  std::shared_ptr<const FolderLock> lock;
  std::string remark;
  if (trained && arguments.judge) {
    if (!is_there(records_file(folder)))
      throw DataError(id, fmt::format("no results in {}; run elmx reproduce {} first", folder.string(), id));
    lock = std::make_shared<const FolderLock>(folder);
    frame = frame_of(StoredRun(folder));
    remark = other_config(folder, config);
  } else if (trained) {
    RunRequest request = arguments.request;
    request.folder = folder;
    const bool anew = request.force && !request.resume && begun.insert(folder).second;
    request.force = request.force && (anew || request.resume);
    request.resume = !anew;
    std::optional<RunOutcome> outcome = finished_outcome(config, request, common);
    if (!outcome && !request.untested_blas) check_kernels_once();
    if (!outcome) outcome = run_config(paper.config, new_plan(), request, common);
    if (outcome->interrupted)
      throw UserError(ExitCode::interrupted, id, "interrupted; run the same command again to resume");
    frame = Frame(std::move(outcome->records), describe(outcome->run));
    lock = std::move(outcome->lock);
  } else if (config.contains("cases")) {  // data sets without a model: a table of their sizes
    frame = sizes_of_data(new_plan());
  }
  PaperComparison comparison =
      compare_with_paper(paper.options, paper.published, frame.all_records(), symbolic_cells(), id);
  if (!remark.empty()) comparison.table.remarks.push_back(remark);
  write_tables(folder, {comparison.table});
  print(comparison.table, "all columns are in " + table_file(folder, comparison.table, "csv").string());
  if (!comparison.claims.rows.empty()) {
    write_tables(folder, {comparison.claims});
    print(comparison.claims);
  }
  std::vector<Figure> figures = as_figures(convergence_plots(frame, id));
  if (std::optional<Plot> plot = plot_with_paper(paper.options, paper.published, comparison.table))
    figures.emplace_back(*std::move(plot));
  write_and_name(figures, folder);
  return comparison[Verdict::disagrees] + comparison[Verdict::not_available];
}

ExitCode reproduce(const ReproduceArguments& arguments, const Common& common) {
  if (arguments.summary) {
    std::vector<TableOfRun> tables;
    for (const std::string& id : arguments.ids.empty() ? paper_ids() : arguments.ids)
      tables.push_back({id, folder_of(arguments, id, paper_config(id, arguments.assignments, arguments.full).json)});
    const FolderLock lock(arguments.folder);
    const Table table = paper_summary(std::move(tables));
    write_tables(arguments.folder, {table});
    print(table);
    return ExitCode::ok;
  }
  provide_blas_buffers();
  if (arguments.ids.empty())
    throw ConfigError("reproduce", "expected the id of a table (elmx list experiments shows them)");
  if (threads() > 1) let_waiting_threads_sleep(common.argv);
  std::size_t not_met = 0;
  // --force restarts a run once, even if several tables share the run
  std::set<std::filesystem::path> begun;
  for (const std::string& id : arguments.ids) not_met += reproduce_one(id, arguments, common, begun);
  return not_met == 0 ? ExitCode::ok : ExitCode::check_failed;
}

}  // namespace

Command reproduce_command() {
  return command("reproduce",
                 "run a published table and print published and measured numbers side by side (exit code 5 if a number "
                 "disagrees or is missing)",
                 reproduce,
                 {{"elmx reproduce elm-table2", "run a published table and print it beside the published numbers"},
                  {"elmx reproduce --summary", "count the verdicts of each table"}});
}

}  // namespace elmx
