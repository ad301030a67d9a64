#include <signal.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <iostream>

#include "experiment/runner.hpp"
#include "report/convergence_plots.hpp"
#include "report/table_formats.hpp"
#include "report/table_markdown.hpp"
#include "report/tables_of_records.hpp"
#include "verbs.hpp"

namespace elmx {
namespace {

std::atomic<bool> stop_requested = false;

/// The first Ctrl-C lets the unit in hand finish its record; a second one ends the program at once.
void request_stop(int) {
  static constexpr std::string_view kNotice = "\nelmx: stopping when the units in hand are finished or their states saved; once more: at once\n";
  stop_requested = true;
  static_cast<void>(!::write(STDERR_FILENO, kNotice.data(), kNotice.size()));
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

std::shared_ptr<spdlog::logger> open_log(const std::filesystem::path& folder) {
  const auto terminal = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  terminal->set_pattern("%v");
  const auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>((folder / "log.txt").string());
  file->set_pattern("%Y-%m-%dT%H:%M:%S%z %l %v");
  return std::make_shared<spdlog::logger>("elmx", spdlog::sinks_init_list{terminal, file});
}

/// One line on a terminal that is written over; nothing where stderr is a file or a pipe.
class ProgressBar {
 public:
  ProgressBar(arma::uword done, arma::uword all) : done_(done), all_(all), shown_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressBar() { clear(); }
  /// Makes room for a line of the log.
  void clear() const {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }
  void advance(const Record& record) {
    ++done_;
    if (!shown_) return;
    std::string where = record.experiment_case.empty() ? record.dataset : record.experiment_case;
    std::string line = std::to_string(done_) + "/" + std::to_string(all_) + " units  " + where + " " + record.algorithm;
    std::cerr << "\r\033[K" << line.substr(0, width()) << std::flush;
  }

 private:
  /// A line that is as long as the terminal is wide would scroll it.
  static std::size_t width() {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? std::min<std::size_t>(size.ws_col - 1U, 120) : 78;
  }

  arma::uword done_, all_;
  bool shown_;
};

/// out/NAME.
std::string default_folder(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..") {
    throw ConfigError("/name: \"" + name + "\"; allowed: a name that a folder can have (or -o, the results folder)");
  }
  return "out/" + name;
}

/// False for algorithms whose solution is another one by definition.
bool solves_ridge_problem(const std::string& algorithm) {
  const std::vector<AlgorithmInfo> all = algorithms();
  const auto row = std::find_if(all.begin(), all.end(), [&](const AlgorithmInfo& info) { return info.name == algorithm; });
  return row == all.end() || row->ridge_solution;
}

/// Units whose solution is further from a stationary point than half the digits of the working precision.
std::size_t count_unsound(const std::vector<Record>& records, const Plan& plan) {
  std::size_t unsound = 0;
  for (const Record& record : records) {
    if (!solves_ridge_problem(record.algorithm)) continue;
    double bound = std::sqrt(std::numeric_limits<double>::epsilon());
    for (const PlannedCase& c : plan.cases) {
      const bool same = std::any_of(c.specs.begin(), c.specs.end(), [&](const CaseSpec& spec) {
        return spec.name == record.experiment_case && spec.point == record.point;
      });
      if (same && c.spec().options.model.value("precision", "double") != "double") bound = std::sqrt(std::numeric_limits<float>::epsilon());
    }
    for (const StepRecord& step : record.steps) {
      const auto residual = step.metrics.find("residual");
      unsound += step.status != Status::ok || residual == step.metrics.end() || residual->second > bound;
    }
  }
  return unsound;
}

struct RunArguments {
  std::vector<std::string> configs, assignments;
  std::string folder, seed;
  RunRequest request;
  bool check = false, dry = false;
};

ExitCode run(const RunArguments& arguments, const Common& common) {
  std::vector<std::string> assignments = arguments.assignments;
  if (!arguments.seed.empty()) assignments.push_back("seed=" + arguments.seed);
  const Json config = load_config(arguments.configs, assignments);
  const Plan plan = make_plan(config, common.data());
  if (arguments.dry) {
    print(plan_table(plan));
    refuse_what_cannot_fit(plan, jobs_for(plan, arguments.request.jobs));
    return ExitCode::ok;
  }
  RunRequest request = arguments.request;
  request.folder = arguments.folder.empty() ? default_folder(plan.cases.front().spec().options.name) : arguments.folder;
  const RunOutcome outcome = run_config(config, plan, request, common);
  if (outcome.interrupted) return static_cast<ExitCode>(130);

  RecordTableOptions options;
  options.order = order_of(plan);
  options.reference = plan.cases.front().spec().options.baseline;
  for (const PlannedCase& c : plan.cases) options.select[c.spec().name] = c.spec().options.select;
  const std::vector<Table> tables = tables_of_records(outcome.records, options);
  write_tables(request.folder, tables);
  for (const Table& table : tables) {
    if (table.only_in_file)
      name_file(table, request.folder, "md");
    else
      print(table);
  }
  write_and_name(convergence_plots(outcome.records, options.order), request.folder);
  if (outcome.failed > 0) return ExitCode::units_failed;
  if (arguments.check) {
    const std::size_t unsound = count_unsound(outcome.records, plan);
    std::cerr << "check: " << unsound << " steps with a residual above the square root of the working precision\n";
    if (unsound > 0) return ExitCode::check_failed;
  }
  return ExitCode::ok;
}

}  // namespace

void name_file(const Table& table, const std::filesystem::path& folder, const std::string& format) {
  std::cerr << table.title << ": " << table_file(folder, table, format).string() << '\n';
}

RecordOrder order_of(const Plan& plan) {
  RecordOrder order;
  for (const PlannedCase& c : plan.cases) order.cases.push_back(c.spec().name);
  for (const PlannedCase& c : plan.cases) add_missing(order.algorithms, c.spec().algorithms);
  return order;
}

void write_and_name(const std::vector<Plot>& plots, const std::filesystem::path& folder) {
  const WrittenPlots written = write_plots(folder, plots);
  const auto name = [&](const std::string& what, const std::vector<std::filesystem::path>& files) {
    if (files.empty()) return;
    std::cerr << what << ' ' << (folder / "plots").string() << ':';
    for (const auto& file : files) std::cerr << ' ' << file.filename().string();
    std::cerr << '\n';
  };
  name("plots in", written.drawn);
  name(written.gnuplot_found ? "gnuplot failed in" : "gnuplot, which is not installed, would make SVG files in", written.not_drawn);
}

void print(const Table& table) { std::cout << to_markdown(table) << '\n' << std::flush; }

RunOutcome run_config(const Json& config, const Plan& plan, const RunRequest& request, const Common& common) {
  refuse_what_cannot_fit(plan, jobs_for(plan, request.jobs));
  const Earlier earlier = request.force ? Earlier::replace : request.resume ? Earlier::resume : Earlier::refuse;
  ResultsFolder results(request.folder, describe_experiment(config, plan), earlier);
  const auto log = open_log(request.folder);
  log->info("{} units, {} finished before, results in {}", plan.units(), results.finished().size(), request.folder.string());

  ::signal(SIGINT, request_stop);
  ::signal(SIGTERM, request_stop);
  RunnerOptions options;
  options.jobs = request.jobs;
  options.stop = &stop_requested;
  options.make_clock = [&]() -> std::unique_ptr<Clock> {
    if (common.fake_clock) return std::make_unique<FakeClock>();
    return std::make_unique<SteadyClock>();
  };
  {
    ProgressBar bar(results.finished().size(), plan.units());
    run_plan(plan, results, options, [&](const Record& record) {
      if (record.status != "ok") {
        bar.clear();
        const std::string& where = record.experiment_case.empty() ? record.dataset : record.experiment_case;
        log->warn("{} {} repeat {} fold {}: {}", where, record.algorithm, record.repeat, record.fold, record.status);
      }
      bar.advance(record);
    });
  }
  RunOutcome outcome{records_of(plan, request.folder), false, 0};
  outcome.interrupted = stop_requested.load() && outcome.records.size() < plan.units();
  for (const Record& record : outcome.records) outcome.failed += record.status != "ok";
  if (outcome.interrupted) {
    log->warn("interrupted after {} of {} units; go on with --resume -o {}", outcome.records.size(), plan.units(), request.folder.string());
  } else if (outcome.failed > 0) {
    log->warn("{} of {} units failed", outcome.failed, plan.units());
  }
  return outcome;
}

void add_run(CLI::App& app, const Common& common, Action& action) {
  auto* verb = app.add_subcommand("run", "run an experiment and print its tables");
  auto arguments = std::make_shared<RunArguments>();
  verb->add_option("CONFIG", arguments->configs, "config files, each laid over those before it")->required();
  verb->add_option("--set", arguments->assignments, "path=value, as in model.ridge=0.01")->allow_extra_args(false);
  verb->add_option("-o,--output", arguments->folder, "results folder (default out/NAME)");
  verb->add_option("--jobs", arguments->request.jobs, "folds at once (0 = by size)")->check(count_up_to(kMostThreads));
  verb->add_option("--seed", arguments->seed, "in place of the config's seed");
  auto* resume = verb->add_flag("--resume", arguments->request.resume, "go on with the results that are there");
  verb->add_flag("--force", arguments->request.force, "replace the results that are there")->excludes(resume);
  verb->add_flag("--check", arguments->check, "exit 5 where a solution fails its residual check");
  verb->add_flag("-n,--dry-run", arguments->dry, "print the plan only");
  verb->callback([=, &common, &action] { action = [=, &common] { return run(*arguments, common); }; });
}

}  // namespace elmx
