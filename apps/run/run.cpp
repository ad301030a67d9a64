#include <fmt/core.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>
#include <set>

#include "base/files/own_files.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "cluster/ranks.hpp"
#include "commands.hpp"
#include "data/table/dataset.hpp"
#include "experiment/plan/plan_warnings.hpp"
#include "experiment/plan/planned_time.hpp"
#include "experiment/records/choice_files.hpp"
#include "experiment/records/finished_run.hpp"
#include "experiment/records/solution_errors.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/run/running_trial.hpp"
#include "experiment/run/trained_members.hpp"
#include "experiment/run/worker_loop.hpp"
#include "experiment/saved/saved_model.hpp"
#include "linalg/blas.hpp"
#include "linalg/blas_buffers.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/final_models/final_models.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/row_keys.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/expect.hpp"
#include "report/tables/tables_of_records.hpp"
#include "run/generated_config.hpp"
#include "run/interruption.hpp"
#include "run/invocation.hpp"
#include "run/progress.hpp"
#include "run/ranks_of_run.hpp"
#include "run/run_results.hpp"

namespace elmx {
namespace {

std::shared_ptr<spdlog::sinks::sink> log_file(const std::filesystem::path& path) {
  try {
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string());
  } catch (const spdlog::spdlog_ex& error) {
    throw ConfigError(path.string(), fmt::format("cannot be written: {}", error.what()));
  }
}

std::shared_ptr<spdlog::logger> open_log(const std::filesystem::path& folder) {
  const auto terminal = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  terminal->set_pattern("%v");
  const auto file = log_file(folder / "log.txt");
  file->set_pattern("%Y-%m-%dT%H:%M:%S%z %l %v");
  auto log = std::make_shared<spdlog::logger>("elmx", spdlog::sinks_init_list{terminal, file});
  log->flush_on(spdlog::level::info);  // a run that is killed has said what it did
  return log;
}

Earlier earlier_results(const RunRequest& request) {
  if (!request.force) return Earlier::resume;
  return request.resume || request.retry_failed ? Earlier::go_on : Earlier::replace;
}

/// Returns out/NAME.
std::string default_folder(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..") {
    throw ConfigError("/name", "\"" + name + "\" cannot be the name of a folder; change it, or use -o DIR");
  }
  return "out/" + name;
}

/// Throws DataError if an experiment.json among the configs was made with other data, and warns if it was made by
/// another program.
void compare_with_earlier_runs(const std::map<std::string, Json>& runs, const Json& now) {
  for (const auto& [file, earlier] : runs) {
    if (const std::string data = changed_data(earlier, now); !data.empty()) throw DataError(file, data);
    if (const std::string program = changed_program(earlier, now); !program.empty())
      std::cerr << "elmx: " << file << ": " << program << "; the last digits of results may differ\n";
  }
}

/// Checks the backward error of every solution, and the expectations of the config.
ExitCode check(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const std::filesystem::path& folder) {
  const std::size_t inaccurate = solution_errors(outcome.records, specs).inaccurate();
  std::cerr << "check: " << inaccurate
            << " steps with a backward error above the square root of the working precision\n";
  const std::vector<Expectation>& expectations = specs.front().options.expect;
  if (expectations.empty()) return inaccurate > 0 ? ExitCode::check_failed : ExitCode::ok;
  const ExpectationsFound found = check_expectations(expectations, Frame(outcome.records, describe(outcome.run)));
  write_tables(folder, {found.table});
  print(found.table);
  std::cerr << "check: " << found.table.remarks.back() << " of the expectations in the config\n";
  return inaccurate + found.unmet > 0 ? ExitCode::check_failed : ExitCode::ok;
}

/// Returns the names of the files that the run will write, except records and plots, whose names depend on
/// results.
std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names = plan_files(plan);
  for (const std::string& table : standard_table_names()) {
    for (const TableFormat& format : table_formats()) names.push_back(fmt::format("tables/{}.{}", table, format.name));
  }
  return names;
}

/// Describes the work of a shard, for a dry run.
std::string about_shard(const Plan& plan, const PlannedShard& shard) {
  return fmt::format("{}: {} of {} in {}, {:.3g} % of the work", show(shard.number), shard.places.size(),
                     counted(plan.trials(), "trial"), counted(shard.tasks, "task"), 100 * shard.part);
}

struct RunArguments {
  std::vector<std::string> configs, assignments;
  DataArguments of_data;
  std::string folder, seed, shard;
  RunRequest request;
  bool check = false, dry = false;
};

/// Generates the config of `elmx run FILE --target COLUMN`; none if the arguments are configs.
std::optional<GeneratedConfig> generated_config_of(const RunArguments& arguments, const Common& common) {
  if (!begins_with_data(arguments.configs, arguments.of_data)) return std::nullopt;
  DataArguments of_data = arguments.of_data;
  of_data.data = arguments.configs.front();
  of_data.assignments = arguments.assignments;
  of_data.replaces = arguments.request.force;
  of_data.alone = arguments.shard.empty() && ranks().count() == 1;
  return generate_config(of_data, "", common);
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

std::function<std::unique_ptr<Clock>()> clocks_of(const Common& common) {
  return [fake = common.fake_clock]() -> std::unique_ptr<Clock> {
    if (fake) return std::make_unique<FakeClock>();
    return std::make_unique<SteadyClock>();
  };
}

/// Writes the tables and diagrams of a run and prints its results. whole: the folder of all shards.
ExitCode show_outcome(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const RunRequest& request,
                      const std::filesystem::path& whole, bool checks) {
  const Frame shown(with_imported(outcome.records, request.folder).records, describe(outcome.run));
  remove_own_files(request.folder, [](const std::string& name) { return name.starts_with("tables/expect."); });
  const std::vector<Table> tables = write_tables_of_run(shown, outcome.run.planned(), request.folder);
  if (outcome.interrupted) {
    if (!tables.empty()) std::cerr << "tables of the finished trials: " << (request.folder / "tables").string() << '\n';
    return kInterrupted;
  }
  if (request.shard) {
    std::cerr << printable(fmt::format("{}: {} of {}, in {}; when all shards are finished, run elmx merge {}",
                                       show(*request.shard), outcome.records.size(),
                                       counted(outcome.run.planned().all, "trial"), request.folder.string(),
                                       shell_word(whole.string())))
              << '\n';
    return outcome.code();
  }
  print_results(outcome, specs, shown, tables, request.folder);
  write_and_name(as_figures(convergence_plots(shown)), request.folder);
  if (prints_for_people() && std::ranges::none_of(tables, [](const Table& one) { return one.name == "headline"; }))
    name_what_is_next(outcome.records, specs, request.folder);
  if (outcome.code() != ExitCode::ok) return outcome.code();
  return checks ? check(outcome, specs, request.folder) : ExitCode::ok;
}

ExitCode run(const RunArguments& arguments, const Common& common) {
  RunRequest request = arguments.request;
  if (!arguments.shard.empty()) request.shard = read_shard_number(arguments.shard);
  if (request.shard && arguments.check)
    throw ConfigError("--check",
                      "cannot be used with --shard; merge the shards, then run elmx run CONFIG -o DIR --check");
  if (threads() > 1) let_waiting_threads_sleep(common.argv);
  join_ranks_of_run(common);
  provide_blas_buffers();
  std::map<std::string, Json> runs;
  std::optional<GeneratedConfig> generated;
  LayeredConfig config;
  std::vector<CaseSpec> specs;
  on_every_rank([&] {
    generated = generated_config_of(arguments, common);
    if (generated && !arguments.request.force) name_apart_from_other_target(*generated);
    config = generated ? generated->with(arguments.assignments)
                       : load_config(arguments.configs, arguments.assignments, &runs);
    if (!arguments.seed.empty()) config.assign("seed=" + arguments.seed, "--seed");
    specs = config.check([&] { return expand(config.json); });
  });
  const auto results_folder = [&] {
    return config.check([&] { return folder_of_run(arguments.folder, specs.front().options.name); });
  };
  const auto write_generated_config = [&] {
    if (!generated) return;
    const std::string file = generated->name + ".json";
    write_config(*generated, file, arguments.request.force);
    std::cerr << printable("config: " + file) << '\n';
    if (generated->config.value("/split/kind"_json_pointer, "") == "time_series")
      std::cerr << printable(
                       fmt::format("the rows are in time order: each fold is tested on later rows than those it is "
                                   "trained on (split in {})",
                                   file))
                << '\n';
  };
  if (!arguments.dry && ranks().count() == 1) {
    request.folder = results_folder();
    if (const auto finished = finished_outcome(config.json, request, common)) {
      if (!runs.empty()) compare_with_earlier_runs(runs, read_json_file(request.folder / "experiment.json"));
      write_generated_config();
      return show_outcome(*finished, specs, request, request.folder, arguments.check);
    }
  }
  Plan plan;
  on_every_rank([&] {
    config.check(
        [&] { plan = make_plan(config.json, common.data(), ranks(), generated ? generated->loaded : std::nullopt); });
  });
  agree_on(what_runs(config.json, plan));
  if (arguments.dry) {
    print(plan_table(plan));
    if (request.shard) print_line(about_shard(plan, shards_of(plan, request.shard->of)[request.shard->number - 1]));
    config.check([&] { refuse_what_cannot_fit(plan, jobs_for(plan, arguments.request.jobs)); });
    return ExitCode::ok;
  }
  if (!ranks().first()) {
    worker_loop(plan, clocks_of(common));
    say_what_ranks_took();
    return ExitCode::ok;
  }
  const RankShutdownGuard shutdown_guard;
  write_generated_config();
  if (!runs.empty()) compare_with_earlier_runs(runs, describe_experiment(config.json, plan));
  request.folder = results_folder();
  const std::filesystem::path whole = request.folder;
  if (request.shard) request.folder /= folder_of_shard(*request.shard);
  return show_outcome(run_config(config, plan, request, common), specs, request, whole, arguments.check);
}

std::size_t count_failed(const std::vector<Record>& records) {
  return static_cast<std::size_t>(std::ranges::count_if(records, [](const Record& r) { return r.status != "ok"; }));
}

/// Describes each data set once.
std::vector<std::string> lines_on_data(const Plan& plan) {
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (const PlannedCase& c : plan.cases) {
    if (!seen.insert(c.data->name).second) continue;
    for (std::string& line : essence_of(*c.data)) lines.push_back(std::move(line));
  }
  return lines;
}

/// Names the models of a run, and says why data sets have none.
void name_models(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& final,
                 const std::map<std::string, NoFinalModel>& none, RunOutcome& outcome, spdlog::logger& log) {
  for (const auto& [set, reason] : none) {
    log.warn("{}: no final model: {}", set, reason.why);
    outcome.lacks_model = outcome.lacks_model || reason.failed;
  }
  for (const std::filesystem::path& file : final)
    log.info("final model: {} (elmx predict {} DATA): {}", file.string(),
             shell_word(final.size() == 1 ? folder.string() : file.string()), method_of(read_model(file)));
}

void warn_of_doubtful(const RunOutcome& outcome, spdlog::logger& log) {
  const std::size_t doubtful = count_doubtful(outcome.records);
  if (doubtful == 0) return;
  log.warn("{} of {} trials have {} (marked in the tables)", doubtful, outcome.run.planned().here,
           "a step whose condition times backward error is above 0.01: its weights may be inaccurate");
}

/// Trains and saves the networks for predictions after the trials. An interruption here interrupts the run.
void save_models(const Plan& plan, RunOutcome& outcome, const std::filesystem::path& folder,
                 const RunnerOptions& runner, Progress& progress, spdlog::logger& log) {
  const bool wanted = std::ranges::any_of(plan.cases, [](const PlannedCase& c) { return c.spec().options.save_model; });
  const bool whole = outcome.run.planned().part.empty();
  if (!wanted || !whole || outcome.interrupted) return;
  const auto stopped = [&] { return runner.stop->load(); };
  progress.go_on();
  const FinalModels saved =
      save_final_models(plan, {outcome.records, describe(outcome.run).order, folder, *runner.members, runner.make_clock,
                               stopped, [&](const std::string& text) { progress.say("training " + text); },
                               [&](double seconds) { progress.advance_models(seconds); }});
  progress.rest();
  outcome.interrupted = stopped();
  if (outcome.interrupted)
    return log.warn("interrupted before all models were trained; run the same command again to resume");
  for (const std::string& note : saved.notes) log.warn(note);
  if (!saved.of_folds.empty())
    log.info("{} in {}", counted(saved.of_folds.size(), "chosen network"), (folder / "models").string());
  name_models(folder, saved.final, saved.none, outcome, log);
}

}  // namespace

void name_file(const Table& table, const std::filesystem::path& folder, const std::string& format) {
  note_line(table.title + ": " + table_file(folder, table, format).string());
}

std::filesystem::path folder_of_run(const std::string& asked, const std::string& name) {
  return asked.empty() ? default_folder(name) : asked;
}

void write_and_name(const std::vector<Figure>& figures, const std::filesystem::path& folder,
                    const PlotFormats& formats) {
  const WrittenPlots written = write_plots(folder, figures, formats);
  const auto name = [&](const std::string& what, const std::vector<std::filesystem::path>& files) {
    if (files.empty()) return;
    std::string line = what + ' ' + (folder / "plots").string() + ':';
    for (const auto& file : files) line += ' ' + file.filename().string();
    note_line(line);
  };
  name("plots in", written.drawn);
  name(written.gnuplot_found ? "gnuplot failed in" : "gnuplot is not installed, so no SVG files were made in",
       written.not_drawn);
}

std::optional<RunOutcome> finished_outcome(const Json& config, const RunRequest& request, const Common& common) {
  if (request.force || request.shard || ranks().present()) return std::nullopt;
  auto lock = std::make_shared<const FolderLock>(request.folder);
  std::optional<FinishedRun> run = find_finished_run(request.folder, config, common.data());
  if (!run) return std::nullopt;
  RunOutcome outcome{std::move(run->run), std::move(run->records), std::move(lock)};
  const Json& experiment = outcome.run.experiment();
  const std::size_t planned = outcome.run.planned().here;
  outcome.failed = count_failed(outcome.records);
  const std::map<std::string, NoFinalModel> none = read_no_final_models(request.folder);
  const bool lacks_model = std::ranges::any_of(none, [](const auto& of) { return of.second.failed; });
  if (request.retry_failed && (outcome.failed > 0 || lacks_model)) return std::nullopt;
  const auto log = open_log(request.folder);
  for (const auto& [name, data] : experiment.at("data").items()) {
    log->info("{}: {}", name, data.value("read", ""));
    for (const Json& note : data.value("notes", Json::array())) log->info("{}", note.get<std::string>());
  }
  log->info("{}, {} finished before, results in {}; nothing is left to run", counted(planned, "trial"),
            outcome.records.size(), request.folder.string());
  if (outcome.failed > 0) log->warn("{} of {} trials failed", outcome.failed, planned);
  std::vector<std::filesystem::path> final;
  for (const auto& [set, name] : final_models_wanted(experiment)) {
    if (!none.contains(set)) final.push_back(request.folder / name);
  }
  name_models(request.folder, final, none, outcome, *log);
  warn_of_doubtful(outcome, *log);
  return outcome;
}

RunOutcome run_config(const LayeredConfig& config, const Plan& plan, const RunRequest& asked, const Common& common) {
  config.check([&] { refuse_what_cannot_fit(plan, jobs_for(plan, asked.jobs)); });
  std::optional<PlannedShard> shard;
  if (asked.shard) shard = shards_of(plan, asked.shard->of)[asked.shard->number - 1];
  const double part = shard ? shard->part : 1, seconds = part * planned_seconds(plan);
  config.check([&] { refuse_beyond_time(seconds); });
  RunRequest request = asked;
  if (begun_before_crash(request.folder)) {
    request.resume = true;
    request.force = request.retry_failed = false;
  }
  Json experiment = describe_experiment(config.json, plan, invocation(common));
  if (shard) experiment["shard"] = describe_shard(*shard);
  const PlannedTrials planned = StoredRun(request.folder, experiment).planned();
  ResultsFolder results(request.folder, experiment, earlier_results(request), names_of(plan));
  write_own_file(request.folder, kDataFile,
                 describe_reading(plan).dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
  if (request.retry_failed)
    remove_own_files(request.folder, [](const std::string& name) { return name == kNoFinalModel; });
  const auto log = open_log(request.folder);
  for (const std::string& note : results.notes()) log->warn(note);
  const std::size_t noted = results.notes().size();
  for (const std::string& line : lines_on_data(plan)) log->info("{}", line);
  for (const std::string& text : plan_warnings(plan)) log->warn("warning: " + text);
  std::vector<Record> before = StoredRun(request.folder).records();
  log->info("{}{}, {} finished before, results in {}; {} planned{}", planned.part.empty() ? "" : planned.part + ": ",
            counted(planned.here, "trial"), before.size(), request.folder.string(),
            seconds < 60 ? "less than a minute" : "about " + show_seconds(seconds),
            before.empty() ? "" : " for all of them");
  if (seconds >= kLongSeconds) log->warn("this run is planned to take {}: more than a day", show_seconds(seconds));

  const std::atomic<bool>& stop_requested = stop_on_interruption();
  RunnerOptions options;
  options.jobs = request.jobs;
  options.retry_failed = request.retry_failed;
  options.shard = shard ? &*shard : nullptr;
  options.stop = &stop_requested;
  options.note = [&](const std::string& text) { log->warn(text); };
  options.make_clock = clocks_of(common);
  TrainedMembers members(plan);
  options.members = &members;
  std::size_t added = 0;
  std::optional<CrashGuard> guard;  // not with MPI: a restarted rank could not rejoin the others
  if (!ranks().present()) guard.emplace(request.folder, common.argv);
  Progress progress(plan, planned.here, part, seconds, before, log);
  run_plan(plan, results, options, [&](const Record& record) {
    ++added;
    progress.advance(record);
  });
  guard.reset();
  progress.rest();
  for (std::size_t i = noted; i < results.notes().size(); ++i) log->warn(results.notes()[i]);
  const StoredRun stored(request.folder);
  RunOutcome outcome{stored, added > 0 ? stored.records() : std::move(before), results.lock()};
  outcome.interrupted = stop_requested.load() && outcome.records.size() < planned.here;
  outcome.failed = count_failed(outcome.records);
  if (outcome.interrupted) {
    log->warn("interrupted after {} of {} trials; run the same command again to resume", outcome.records.size(),
              planned.here);
  } else if (outcome.failed > 0) {
    log->warn("{} of {} trials failed", outcome.failed, planned.here);
  }
  save_models(plan, outcome, request.folder, options, progress, *log);
  warn_of_doubtful(outcome, *log);
  return outcome;
}

void add_run(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand("run", "run an experiment and print its tables");
  auto arguments = std::make_shared<RunArguments>();
  command
      ->add_option("CONFIG", arguments->configs,
                   "config files, of which later ones override earlier ones; or a data file or a data set")
      ->required();
  add_data_options(*command, arguments->of_data);
  command->add_option("--set", arguments->assignments, "set a config value: path=value, for example model.ridge=0.01")
      ->allow_extra_args(false);
  command->add_option("-o,--output", arguments->folder, "results folder (default out/NAME)");
  command->add_option("--jobs", arguments->request.jobs, "folds to run at once (0 = chosen by size)")
      ->check(count_up_to(kMostThreads));
  command->add_option("--seed", arguments->seed, "use this seed instead of that of the config");
  command->add_flag("--resume", arguments->request.resume,
                    "continue with existing results (the default without --force)");
  command->add_flag("--retry-failed", arguments->request.retry_failed, "like --resume, and run failed trials again");
  command->add_flag("--force", arguments->request.force,
                    "discard existing results; with --resume: continue although the config, data or program has "
                    "changed");
  command->add_flag(
      "--check", arguments->check,
      "exit with code 5 if the backward error of a solution is too large or an expectation of the config is not met");
  command->add_option("--shard", arguments->shard,
                      "I/N: run only shard I of N, into OUTPUT/shard-I-of-N (elmx merge merges the shards)");
  command->add_flag("-n,--dry-run", arguments->dry, "print the plan and run nothing");
  command->callback([=, &common, &action] { action = [=, &common] { return run(*arguments, common); }; });
}

}  // namespace elmx
