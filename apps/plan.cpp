#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <span>

#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/plan/planned_time.hpp"
#include "experiment/run/runner.hpp"
#include "linalg/blas.hpp"
#include "linalg/blas_buffers.hpp"

namespace elmx {

constexpr std::size_t kMostRows = 200;  // more are counted only

Table plan_table(const Plan& plan) {
  Table table;
  table.name = "plan";
  table.title = "Plan";
  for (const char* name :
       {"case", "dataset", "samples", "train", "inputs", "outputs", "algorithms", "trials", "memory", "gigaflops"}) {
    table.columns.push_back({name, name});
  }
  const std::size_t shown = std::min(plan.cases.size(), kMostRows);
  if (shown < plan.cases.size())
    table.remarks.push_back(fmt::format("and {} more, {} in all", plan.cases.size() - shown, plan.cases.size()));
  for (const PlannedCase& c : std::span(plan.cases).first(shown)) {
    std::string name = c.spec().name;
    for (const auto& [place, value] : c.spec().point) {
      name += (name.empty() ? "" : " ") + last_component(place) + "=";
      name += c.specs.size() > 1 && place == c.spec().family->shared ? std::to_string(c.specs.size()) + " values"
                                                                     : value.dump();
    }
    const auto count = [](std::size_t n) { return number_cell(static_cast<double>(n), fixed_point(0)); };
    table.rows.push_back({text_cell(name), text_cell(c.data->name), count(c.data->X.n_rows), count(c.sizes.train),
                          count(c.sizes.inputs), count(c.sizes.outputs), count(c.spec().model->algorithms().size()),
                          count(c.trials()), text_cell(show_bytes(c.data_bytes + c.cost.shared_bytes + c.cost.bytes)),
                          number_cell(c.cost.flops * static_cast<double>(c.tasks()) / 1e9, significant(3))});
  }
  return table;
}

namespace {

ExitCode plan(const std::vector<std::string>& configs, const std::vector<std::string>& assignments, int asked_jobs,
              const Common& common) {
  provide_blas_buffers();
  const Plan plan = make_plan(load_config(configs, assignments), common.data());
  print(plan_table(plan));
  std::set<std::string> notes;
  for (const PlannedCase& c : plan.cases) notes.insert(c.cost.note);
  for (const std::string& note : notes) {
    if (!note.empty()) print_line(note);
  }
  const Jobs jobs = jobs_for(plan, asked_jobs);
  const double seconds = planned_seconds(plan);
  print_line(fmt::format("{}; peak memory {} of {} available; about {}; {} job(s) on {} thread(s)",
                         counted(plan.trials(), "trial"), show_bytes(std::max(plan.peak_bytes(jobs), peak_memory())),
                         show_available_memory(plan.available), show_seconds(seconds), std::max(jobs.small, jobs.large),
                         threads()));
  refuse_what_cannot_fit(plan, jobs);
  refuse_beyond_time(seconds);
  return ExitCode::ok;
}

}  // namespace

void add_plan(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand("plan", "trials, memory, work and time of an experiment; refuses what cannot fit");
  auto configs = std::make_shared<std::vector<std::string>>();
  auto assignments = std::make_shared<std::vector<std::string>>();
  auto jobs = std::make_shared<int>(0);
  command->add_option("CONFIG", *configs, "config files")->required();
  command->add_option("--set", *assignments, "path=value")->allow_extra_args(false);
  command->add_option("--jobs", *jobs, "folds at once (0 = by size)")->check(count_up_to(kMostThreads));
  command->callback(
      [=, &common, &action] { action = [=, &common] { return plan(*configs, *assignments, *jobs, common); }; });
}

}  // namespace elmx
