#include "run/run_config.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/communicator.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "data/table/dataset.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/run/stack_trainer.hpp"
#include "experiment/saved/saved_model.hpp"
#include "report/final_models/final_models.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/tables.hpp"
#include "run/progress.hpp"
#include "run/ranks_of_run.hpp"

namespace elmx {
namespace {

Earlier earlier_results(const RunRequest& request) {
  if (!request.force) return Earlier::resume;
  return request.resume || request.retry_failed ? Earlier::go_on : Earlier::replace;
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

/// Returns the final models of a folder that `elmx update` or `elmx forget` has changed.
std::vector<std::string> updated_models(const std::filesystem::path& folder, const Json& experiment) {
  std::vector<std::string> changed;
  for (const auto& [set, file] : final_models_wanted(experiment)) {
    try {
      if (is_there(folder / file) && read_model(folder / file).trial.contains(kUpdates)) changed.push_back(file);
    } catch (const DataError&) {  // a damaged model is trained again
    }
  }
  return changed;
}

/// Describes how the program was called. Throws ConfigError if the working folder no longer exists.
Invocation invocation(const Common& common) {
  Invocation how;
  how.command = command_line(common.argv);
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  if (failed) throw ConfigError("the working folder", failed.message() + "; start elmx in a folder that exists");
  how.folder = printable(here.string());
  how.data_folder = printable((here / common.data()).lexically_normal().string());
  return how;
}

/// Logs what is known before the first trial: the data, warnings, and how much is left to run.
void log_beginning(const Plan& plan, const PlannedTrials& planned, const RunOutcome& before, double seconds,
                   spdlog::logger& log) {
  std::set<std::string> described;
  for (const PlannedCase& c : plan.cases) {
    if (!described.insert(c.data->name).second) continue;
    for (const std::string& line : essence_of(*c.data)) log.info("{}", line);
  }
  for (const std::string& text : plan_warnings(plan)) log.warn("warning: " + text);
  log.info("{}{}, {} finished before, results in {}; {} planned{}", planned.part.empty() ? "" : planned.part + ": ",
           counted(planned.here, "trial"), before.records.size(), before.run.folder().string(),
           seconds < 60 ? "less than a minute" : "about " + show_seconds(seconds),
           before.records.empty() ? "" : " for all of them");
  if (seconds >= kLongSeconds) log.warn("this run is planned to take {}: more than a day", show_seconds(seconds));
}

/// Returns true if the run lacks a final model because its training failed.
bool lacks_model(const StoredRun& run) {
  return std::ranges::any_of(read_no_final_models(run.folder()), [](const auto& of) { return of.second.failed; });
}

/// Names the final models of a run, and says why data sets have none.
void name_models(const StoredRun& run, spdlog::logger& log) {
  std::map<std::string, std::string> final = final_models_wanted(run.experiment());
  for (const auto& [set, reason] : read_no_final_models(run.folder())) {
    log.warn("{}: no final model: {}", set, reason.why);
    final.erase(set);
  }
  for (const auto& [set, name] : final) {
    const std::filesystem::path file = run.folder() / name;
    const SavedModel model = read_model(file);
    const std::string argument = shell_word(final.size() == 1 ? run.folder().string() : file.string());
    log.info("final model: {} (elmx predict {} DATA): {}", file.string(), argument, method_of(model));
    if (model.training_rows)
      log.info("the model can be updated (elmx update {} ROWS); it has {}", argument,
               show_bytes(static_cast<double>(std::filesystem::file_size(file))));
  }
}

/// Warns of trials that failed and of trials whose weights may be inaccurate.
void warn_of_trials(const RunOutcome& outcome, spdlog::logger& log) {
  const std::size_t planned = outcome.run.planned().here, failed = outcome.failed();
  if (failed > 0) log.warn("{} of {} trials failed", failed, planned);
  if (const std::size_t doubtful = count_doubtful(outcome.records); doubtful > 0)
    log.warn("{} of {} trials have {} (marked in the tables)", doubtful, planned,
             "weights that may be inaccurate: the condition number times the backward error is above 0.01");
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
  outcome.lacks_model = lacks_model(outcome.run);
  name_models(outcome.run, log);
}

}  // namespace

std::size_t RunOutcome::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(records, [](const Record& r) { return !r.status.ok(); }));
}

void RunRequest::flags(Flags& flag) {
  flag("--jobs", jobs, "folds to run at once (0 = chosen by size)", {.least = 0, .most = kMostThreads});
  flag("--resume", resume, "continue with existing results (the default without --force)");
  flag("--retry-failed", retry_failed, "like --resume, and run failed trials again");
  flag("--force", force,
       "discard existing results; with --resume: continue although the config, data or program has changed");
  flag("--untested-blas", untested_blas,
       "run although a kernel of the BLAS library gives wrong results (elmx selftest)");
}

std::filesystem::path folder_of_run(const std::string& asked, const std::string& name) {
  if (!asked.empty()) return asked;
  if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..")
    throw ConfigError("/name", "\"" + name + "\" cannot be the name of a folder; change it, or use -o DIR");
  return "out/" + name;
}

std::function<std::unique_ptr<Clock>()> clocks_of(const Common& common) {
  return [fake = common.fake_clock]() -> std::unique_ptr<Clock> {
    if (fake) return std::make_unique<FakeClock>();
    return std::make_unique<SteadyClock>();
  };
}

std::optional<RunOutcome> finished_outcome(const Json& config, const RunRequest& request, const Common& common) {
  if (request.force || request.shard || ranks().present()) return std::nullopt;
  auto lock = std::make_shared<const FolderLock>(request.folder);
  std::optional<FinishedRun> run = find_finished_run(request.folder, config, common.data());
  if (!run) return std::nullopt;
  RunOutcome outcome{std::move(run->run), std::move(run->records), std::move(lock)};
  outcome.lacks_model = lacks_model(outcome.run);
  if (request.retry_failed && outcome.code() != ExitCode::ok) return std::nullopt;
  const auto log = open_log(request.folder);
  for (const auto& [name, data] : outcome.run.experiment().at("data").items()) {
    log->info("{}: {}", name, data.value("read", ""));
    for (const Json& note : data.value("notes", Json::array())) log->info("{}", note.get<std::string>());
  }
  const std::size_t trials = outcome.records.size();
  log->info("{}, {} finished before, results in {}; nothing is left to run", counted(trials, "trial"), trials,
            request.folder.string());
  name_models(outcome.run, *log);
  warn_of_trials(outcome, *log);
  return outcome;
}

RunOutcome run_config(const LayeredConfig& config, const Plan& plan, const RunRequest& request, const Common& common) {
  config.check([&] { refuse_what_cannot_fit(plan, jobs_for(plan, request.jobs)); });
  std::optional<PlannedShard> shard;
  if (request.shard) shard = shards_of(plan, request.shard->of)[request.shard->number - 1];
  const double part = shard ? shard->part : 1, seconds = part * planned_seconds(plan);
  config.check([&] { refuse_beyond_time(seconds); });
  Json experiment = describe_experiment(config.json, plan, invocation(common));
  if (shard) experiment["shard"] = describe_shard(*shard);
  const PlannedTrials planned = StoredRun(request.folder, experiment).planned();
  ResultsFolder results(request.folder, experiment, earlier_results(request), names_of(plan),
                        updated_models(request.folder, experiment));
  write_own_file(request.folder, kDataFile,
                 describe_reading(plan).dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
  if (request.retry_failed)
    remove_own_files(request.folder, [](const std::string& name) { return name == kNoFinalModel; });
  RunOutcome outcome{StoredRun(request.folder), {}, results.lock()};
  outcome.records = outcome.run.records(results.written());
  const auto log = open_log(request.folder);
  for (const std::string& note : results.notes()) log->warn(note);
  const std::size_t noted = results.notes().size();
  log_beginning(plan, planned, outcome, seconds, *log);

  const std::atomic<bool>& stop_requested = stop_on_interruption();
  TrainedMembers members(plan);
  RunnerOptions options;
  options.jobs = request.jobs;
  options.retry_failed = request.retry_failed;
  options.shard = shard ? &*shard : nullptr;
  options.stop = &stop_requested;
  options.note = [&](const std::string& text) { log->warn(text); };
  options.make_clock = clocks_of(common);
  options.members = &members;
  std::size_t added = 0;
  Progress progress(plan, planned.here, part, seconds, outcome.records, log);
  run_plan(plan, results, options, [&](const Record& record) {
    ++added;
    progress.advance(record);
  });
  progress.rest();
  for (std::size_t i = noted; i < results.notes().size(); ++i) log->warn(results.notes()[i]);
  outcome.run = StoredRun(request.folder);
  if (added > 0) outcome.records = outcome.run.records(results.written());
  outcome.interrupted = stop_requested.load() && outcome.records.size() < planned.here;
  if (outcome.interrupted)
    log->warn("interrupted after {} of {} trials; run the same command again to resume", outcome.records.size(),
              planned.here);
  save_models(plan, outcome, request.folder, options, progress, *log);
  warn_of_trials(outcome, *log);
  return outcome;
}

}  // namespace elmx
