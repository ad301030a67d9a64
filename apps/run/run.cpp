#include <fmt/core.h>

#include <algorithm>
#include <exception>

#include "base/communicator.hpp"
#include "base/files/own_files.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "cli/terminal.hpp"
#include "experiment/records/record.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "linalg/blas.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/row_keys.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/tables.hpp"
#include "results/output.hpp"
#include "run/ranks_of_run.hpp"
#include "run/run_config.hpp"
#include "selftest/checked_kernels.hpp"

namespace elmx {
namespace {

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
  std::string text = counted(all, "solution");
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(errors.failed, "failed");
  add(errors.too_large, "with a backward error that is too large");
  add(errors.unknown, "without a backward error");
  if (errors.solutions > 0) text += ", the largest backward error is " + show(errors.largest, scientific(1));
  return text;
}

/// Prints one line about the solutions, their table if something is wrong, and the files of the other tables.
void print_diagnostics(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const std::vector<Table>& tables,
                       const std::filesystem::path& folder) {
  const SolutionErrors errors = solution_errors(outcome.records, specs);
  const Table* table = named(tables, "errors");
  const bool wrong = errors.too_large + errors.failed + outcome.failed() + count_doubtful(outcome.records) > 0;
  if (wrong) print_with_file(table, folder);
  std::string files;
  for (const Table& one : tables) {
    if (one.name != "time" && !(wrong && &one == table))
      files += (files.empty() ? "" : ", ") + table_file(folder, one, "md").string();
  }
  print_line("Diagnostics: " + about_solutions(errors) + (files.empty() ? "." : ". Other tables: " + files + "."));
}

void print_results(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const Frame& shown,
                   const std::vector<Headline>& headlines, const std::vector<Table>& tables,
                   const std::filesystem::path& folder) {
  print_summary(shown, headlines, folder);
  if (prints_for_people()) {
    print_with_file(named(tables, "time"), folder);
    return print_diagnostics(outcome, specs, tables, folder);
  }
  for (const Table& table : tables) {
    if (table.only_in_file)
      name_file(table, folder, "md");
    else if (table.name != "headline")  // print_summary has printed its sentences
      print(table);
  }
}

/// Checks the backward error of every solution, and the expectations of the config.
ExitCode check(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const std::filesystem::path& folder) {
  const std::size_t inaccurate = solution_errors(outcome.records, specs).inaccurate();
  note_line(fmt::format("check: {} solutions have a backward error above the square root of the working precision",
                        inaccurate));
  const std::vector<Expectation>& expectations = specs.front().options.expect;
  if (expectations.empty()) return inaccurate > 0 ? ExitCode::check_failed : ExitCode::ok;
  const ExpectationsFound found = check_expectations(expectations, Frame(outcome.records, describe(outcome.run)));
  write_tables(folder, {found.table});
  print(found.table);
  note_line("check: " + found.table.remarks.back() + " of the expectations in the config");
  return inaccurate + found.unmet > 0 ? ExitCode::check_failed : ExitCode::ok;
}

/// Writes the tables and diagrams of a run and prints its results: all tables as Markdown, or on a terminal
/// the results, the times and a line about the diagnostics. With `checks`, checks solutions and expectations.
ExitCode show_outcome(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const RunRequest& request,
                      bool checks) {
  const Frame shown(with_imported(outcome.records, request.folder).records, describe(outcome.run));
  remove_own_files(request.folder, [](const std::string& name) { return name.starts_with("tables/expect."); });
  const std::vector<Headline> headlines = headlines_of(shown, request.folder);
  const std::vector<Table> tables = write_tables_of_run(shown, headlines, outcome.run.planned(), request.folder);
  if (outcome.interrupted) {
    if (!tables.empty()) note_line("tables of the finished trials: " + (request.folder / "tables").string());
    return ExitCode::interrupted;
  }
  if (request.shard) {
    note_line(fmt::format("{}: {} of {}, in {}; when all shards are finished, run elmx merge {}", show(*request.shard),
                          outcome.records.size(), counted(outcome.run.planned().all, "trial"), request.folder.string(),
                          shell_word(request.folder.parent_path().string())));
    return outcome.code();
  }
  print_results(outcome, specs, shown, headlines, tables, request.folder);
  write_and_name(as_figures(convergence_plots(shown)), request.folder);
  if (prints_for_people() && std::ranges::none_of(tables, [](const Table& one) { return one.name == "headline"; }))
    note_line(next_commands("", shown.run().name, request.folder));
  if (outcome.code() != ExitCode::ok) return outcome.code();
  return checks ? check(outcome, specs, request.folder) : ExitCode::ok;
}

struct RunArguments {
  ConfigArguments config;
  GivenData of_data;
  std::string folder, seed, shard;
  RunRequest request;
  int rank_timeout_s = SilentRank{}.limit_s;
  bool check = false, dry = false;

  void flags(Flags& flag) {
    config.flags(flag, "config files (later files override earlier ones), a data file, or a data set");
    list_data_flags(flag, of_data);
    flag("-o,--output", folder, "results folder (default out/NAME)");
    flag("--seed", seed, "use this seed instead of the seed of the config");
    request.flags(flag);
    flag(
        "--check", check,
        "exit with code 5 if the backward error of a solution is too large or an expectation of the config is not met");
    flag("--shard", shard, "I/N: run only shard I of N, into OUTPUT/shard-I-of-N (elmx merge merges the shards)");
    flag("--rank-timeout", rank_timeout_s, "with mpirun: end all ranks if one is silent for this number of seconds",
         {.least = 1});
    flag("-n,--dry-run", dry, "print the plan and run nothing");
  }
};

/// The experiment that the arguments name.
struct Experiment {
  std::optional<GeneratedConfig> generated;  ///< of `elmx run FILE --target COLUMN`
  std::map<std::string, Json> earlier;       ///< the experiment.json files among the configs
  LayeredConfig config;
  std::vector<CaseSpec> specs;
};

/// Generates the config of `elmx run FILE --target COLUMN`; none if the arguments are configs.
std::optional<GeneratedConfig> generated_config_of(const RunArguments& arguments, const Common& common) {
  if (!begins_with_data(arguments.config.files, arguments.of_data)) return std::nullopt;
  GivenData of_data = arguments.of_data;
  of_data.data = arguments.config.files.front();
  of_data.assignments = arguments.config.assignments;
  of_data.replaces = arguments.request.force;
  of_data.alone = arguments.shard.empty() && ranks().count() == 1;
  GeneratedConfig generated = generate_config(of_data, "", common.data());
  if (!arguments.request.force) name_apart_from_other_runs(generated);
  return generated;
}

Experiment read_experiment(const RunArguments& arguments, const Common& common) {
  Experiment experiment;
  on_every_rank([&] {
    experiment.generated = generated_config_of(arguments, common);
    experiment.config = experiment.generated
                            ? experiment.generated->with(arguments.config.assignments)
                            : load_config(arguments.config.files, arguments.config.assignments, &experiment.earlier);
    if (!arguments.seed.empty()) experiment.config.assign("seed=" + arguments.seed, "--seed");
    experiment.specs = experiment.config.check([&] { return expand(experiment.config.json); });
  });
  return experiment;
}

Plan make_plan_on_every_rank(const Experiment& experiment, const Common& common) {
  const Json& config = experiment.config.json;
  const auto loaded = experiment.generated ? experiment.generated->loaded : std::nullopt;
  Plan plan;
  on_every_rank([&] { experiment.config.check([&] { plan = make_plan(config, common.data(), ranks(), loaded); }); });
  agree_on(what_runs(config, plan));
  return plan;
}

ExitCode print_plan(const Experiment& experiment, const Plan& plan, const RunRequest& request) {
  print(plan_table(plan));
  if (request.shard) {
    const PlannedShard shard = shards_of(plan, request.shard->of)[request.shard->number - 1];
    print_line(fmt::format("{}: {} of {} in {}, {:.3g} % of the work", show(shard.number), shard.places.size(),
                           counted(plan.trials(), "trial"), counted(shard.tasks, "task"), 100 * shard.part));
  }
  experiment.config.check([&] { refuse_what_cannot_fit(plan, jobs_for(plan, request.jobs)); });
  return ExitCode::ok;
}

/// Throws DataError if an experiment.json among the configs was made with other data, and warns if it was
/// made by another program.
void compare_with_earlier_runs(const Experiment& experiment, const Json& now) {
  for (const auto& [file, earlier] : experiment.earlier) {
    if (const std::string data = changed_data(earlier, now); !data.empty()) throw DataError(file, data);
    if (const std::string program = changed_program(earlier, now); !program.empty())
      note_line(fmt::format("elmx: {}: {}; the last digits of results may differ", file, program));
  }
}

void write_generated_config(const Experiment& experiment, bool force) {
  if (!experiment.generated) return;
  const std::string file = experiment.generated->name + ".json";
  write_config(*experiment.generated, file, force);
  note_line("config: " + file);
  if (experiment.generated->config.value("/split/kind"_json_pointer, "") == "time_series")
    note_line(fmt::format(
        "the rows are in time order: each fold is tested on later rows than those it is trained on (split in {})",
        file));
}

/// Releases the worker ranks when the run ends.
class RankShutdownGuard {
 public:
  RankShutdownGuard() = default;
  ~RankShutdownGuard() {
    if (std::uncaught_exceptions() > 0) return;
    broadcast_end(ranks());
    say_what_ranks_took();
  }
  RankShutdownGuard(const RankShutdownGuard&) = delete;
  RankShutdownGuard& operator=(const RankShutdownGuard&) = delete;
};

/// Works for rank 0 until the run ends.
ExitCode work_for_first_rank(const Plan& plan, const Common& common) {
  worker_loop(plan, clocks_of(common));
  say_what_ranks_took();
  return ExitCode::ok;
}

ExitCode run_experiment(const RunArguments& arguments, const Common& common) {
  RunRequest request = arguments.request;
  if (!arguments.shard.empty()) request.shard = read_shard_number(arguments.shard);
  if (request.shard && arguments.check)
    throw ConfigError("--check",
                      "cannot be used with --shard; merge the shards, then run elmx run CONFIG -o DIR --check");
  if (threads() > 1) let_waiting_threads_sleep(common.argv);
  join_ranks_of_run(common, arguments.rank_timeout_s);
  provide_blas_buffers();
  const Experiment experiment = read_experiment(arguments, common);
  const auto results_folder = [&] {
    return experiment.config.check(
        [&] { return folder_of_run(arguments.folder, experiment.specs.front().options.name); });
  };
  if (!arguments.dry && ranks().count() == 1) {
    request.folder = results_folder();
    if (const auto finished = finished_outcome(experiment.config.json, request, common)) {
      compare_with_earlier_runs(experiment, finished->run.experiment());
      write_generated_config(experiment, request.force);
      return show_outcome(*finished, experiment.specs, request, arguments.check);
    }
  }
  if (!arguments.dry && !request.untested_blas) on_every_rank(check_kernels_once);
  const Plan plan = make_plan_on_every_rank(experiment, common);
  if (arguments.dry) return print_plan(experiment, plan, request);
  if (!ranks().first()) return work_for_first_rank(plan, common);
  const RankShutdownGuard shutdown_guard;
  write_generated_config(experiment, request.force);
  if (!experiment.earlier.empty())
    compare_with_earlier_runs(experiment, describe_experiment(experiment.config.json, plan));
  request.folder = results_folder();
  if (request.shard) request.folder /= folder_of_shard(*request.shard);
  const RunOutcome outcome = run_config(experiment.config, plan, request, common);
  return show_outcome(outcome, experiment.specs, request, arguments.check);
}

}  // namespace

Command run_command() {
  return command("run", "run an experiment and print its tables", run_experiment,
                 {{"elmx run first.json", "run an experiment; its results go to out/first"},
                  {"elmx run boats.csv --target speed", "write a config for a data file and run it"}});
}

}  // namespace elmx
