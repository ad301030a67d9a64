#include "experiment/plan/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "cli/terminal.hpp"
#include "experiment/run/runner.hpp"
#include "linalg/blas.hpp"
#include "published/paper.hpp"
#include "run/run_config.hpp"

namespace elmx {

// the main columns of the table
constexpr std::array<std::string_view, 4> kFirst{"case", "dataset", "trials", "memory"};
constexpr std::size_t kMostRows = 200;  // further rows are only counted

Table plan_table(const Plan& plan) {
  Table table;
  table.name = "plan";
  table.title = "Plan";
  for (const char* name :
       {"case", "dataset", "samples", "train", "inputs", "outputs", "algorithms", "trials", "memory", "gigaflops"}) {
    const bool asked_for = std::ranges::count(kFirst, std::string_view(name)) > 0;
    table.columns.push_back({name, name, asked_for ? Worth::result : Worth::rest});
  }
  const std::size_t shown = std::min(plan.cases.size(), kMostRows);
  if (shown < plan.cases.size())
    table.remarks.push_back(fmt::format("and {} more, {} in total", plan.cases.size() - shown, plan.cases.size()));
  for (const PlannedCase& c : std::span(plan.cases).first(shown)) {
    std::string name = c.spec().name;
    for (const auto& [place, value] : c.spec().point) {
      name += (name.empty() ? "" : " ") + last_component(place) + "=";
      name += c.specs.size() > 1 && place == c.spec().family->shared ? std::to_string(c.specs.size()) + " values"
                                                                     : value.dump();
    }
    const auto count = [](std::size_t n) { return number_cell(static_cast<double>(n), fixed_point(0)); };
    table.rows.push_back({text_cell(name), text_cell(c.data->name), count(c.data->samples()), count(c.sizes.train),
                          count(c.sizes.inputs), count(c.sizes.outputs), count(c.spec().model->algorithms.size()),
                          count(c.trials()), text_cell(show_bytes(c.data_bytes + c.cost.shared_bytes + c.cost.bytes)),
                          number_cell(c.cost.flops * static_cast<double>(c.tasks()) / 1e9, significant(3))});
  }
  return table;
}

namespace {

struct PlanArguments {
  ConfigArguments config;
  int jobs = 0, ranks = 1;
  bool full = false;

  void flags(Flags& flag) {
    config.flags(flag, "config files, or a published table of elmx list experiments");
    flag("--jobs", jobs, "folds to run at once (0 = chosen by size)", {.least = 0, .most = kMostThreads});
    flag("--ranks", ranks, "plan for this many MPI ranks, each with --threads threads", {.least = 1, .most = 100000});
    flag("--full", full, "published table: use the full scale, which decides its claims");
  }
};

/// Returns a note that the inputs of a case stay on disk, with the cost of reading them in blocks.
std::string note_on_disk(const PlannedCase& c) {
  const double bytes = 8.0 * static_cast<double>(c.data->samples()) * static_cast<double>(c.data->dimension());
  return fmt::format(
      "{}: inputs stay on disk ({} in memory) and are read in blocks: {} passes of {} per fold, {} in total",
      c.data->name, show_bytes(bytes), c.passes(), show_seconds(c.data->pass_seconds), show_seconds(c.read_seconds()));
}

/// Returns the config of the files, or of a published table, as for `elmx reproduce`, if its id is not a
/// file.
LayeredConfig config_of(const PlanArguments& arguments) {
  const std::string& name = arguments.config.files.front();
  const bool names_table =
      arguments.config.files.size() == 1 && !is_there(name) && std::ranges::count(paper_ids(), name) > 0;
  if (!names_table && arguments.full)
    throw ConfigError("--full", "needs the id of a published table (elmx list experiments shows them)");
  if (!names_table) return load_config(arguments.config.files, arguments.config.assignments);
  LayeredConfig config = paper_config(name, arguments.config.assignments, arguments.full);
  if (!config.json.contains("model")) throw ConfigError("plan", name + " trains nothing; use a table that is measured");
  return config;
}

ExitCode print_plan_of(const PlanArguments& arguments, const Common& common) {
  if (arguments.ranks > 1 && common.threads == 0) set_threads(std::max(1, threads() / arguments.ranks));
  provide_blas_buffers();
  const LayeredConfig config = config_of(arguments);
  Plan plan;
  const Communicator ranks(arguments.ranks);
  config.check([&] { plan = make_plan(config.json, common.data(), ranks); });
  print(plan_table(plan));
  std::set<std::string> notes;
  for (const PlannedCase& c : plan.cases) {
    notes.insert(c.cost.note);
    if (c.data->on_disk) notes.insert(note_on_disk(c));
  }
  for (const std::string& note : notes) {
    if (!note.empty()) print_line(note);
  }
  for (const std::string& text : plan_warnings(plan)) print_line("warning: " + text);
  const Jobs jobs = jobs_for(plan, arguments.jobs);
  const double seconds = planned_seconds(plan);
  print_line(fmt::format("{}; peak memory {} of {} available; about {}; {} on {}", counted(plan.trials(), "trial"),
                         show_bytes(std::max(plan.peak_bytes(jobs), peak_memory())),
                         show_available_memory(plan.available), show_seconds(seconds),
                         counted(static_cast<std::size_t>(std::max(jobs.small, jobs.large)), "job"),
                         counted(static_cast<std::size_t>(threads()), "thread")));
  if (arguments.ranks > 1) {
    print_line(fmt::format("memory, gigaflops and time are those of one of {} ranks, which has {} and sends {}",
                           arguments.ranks, counted(static_cast<std::size_t>(threads()), "thread"),
                           show_bytes(plan.work().bytes_sent)));
  }
  config.check([&] {
    if (arguments.ranks == 1) refuse_what_cannot_fit(plan, jobs);
    refuse_beyond_time(seconds);
  });
  return ExitCode::ok;
}

}  // namespace

Command plan_command() {
  return command("plan", "show the trials, memory, work and time of an experiment; fail if it does not fit into memory",
                 print_plan_of,
                 {{"elmx plan first.json", "show the number of trials, the memory and the time"},
                  {"elmx plan configs/paper/elm-table2.json", "show how long a reproduction takes"}});
}

}  // namespace elmx
