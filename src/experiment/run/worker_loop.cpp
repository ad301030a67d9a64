#include "base/machine/machine.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"

namespace elmx {
namespace {

bool is_of_all_rows(const FoldTask& task) { return task.fold.train.n_elem == task.data->samples(); }

Json description(const FoldTask& task) {
  Json points = Json::array();
  for (const CaseSpec& spec : *task.specs) points.push_back(spec.point);
  return {{"case", task.specs->front().name},
          {"data", task.data->name},
          {"points", points},
          {"repeat", task.repeat},
          {"fold", task.fold_index},
          {"all_rows", is_of_all_rows(task)}};
}

/// The specs of a description in the plan; ranks of little memory may have them in several parts of a case.
const PlannedCase& specs_of(const Plan& plan, const Json& described, std::vector<CaseSpec>& specs) {
  const PlannedCase* found = nullptr;
  for (const Json& point : described["points"]) {
    for (const PlannedCase& c : plan.cases) {
      if (c.spec().name != described["case"] || c.data->name != described["data"]) continue;
      for (const CaseSpec& spec : c.specs) {
        if (Json(spec.point) != point) continue;
        specs.push_back(spec);
        found = &c;
      }
    }
  }
  expects(found != nullptr && specs.size() == described["points"].size(), "specs_of: all ranks have one plan");
  return *found;
}

/// Rank 0 of several: broadcasts a message.
void tell_others(const Communicator& ranks, const std::string& message) {
  if (ranks.count() > 1 && ranks.first()) ranks.broadcast(message);
}

}  // namespace

void broadcast_task(const FoldTask& task) {
  Json described = description(task);
  described["algorithms"] = task.algorithms;
  tell_others(*task.ranks, described.dump());
}

void broadcast_task(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size) {
  Json described = description(task);
  described["network"] = {{"algorithm", algorithm}};
  if (size) described["network"]["size"] = {size->nodes, size->iterations};
  tell_others(*task.ranks, described.dump());
}

void broadcast_end(const Communicator& ranks) { tell_others(ranks, ""); }

std::function<bool()> stop_of_first_rank(const Communicator& ranks, const std::function<bool()>& stopped) {
  if (ranks.count() == 1) return stopped;
  return [&ranks, stopped] { return !ranks.broadcast(ranks.first() && stopped() ? "stop" : "").empty(); };
}

void worker_loop(const Plan& plan, const std::function<std::unique_ptr<Clock>()>& make_clock) {
  for (;;) {
    const std::string message = plan.ranks->broadcast("");
    if (message.empty()) return;
    const Json described = Json::parse(message);
    std::vector<CaseSpec> specs;
    const PlannedCase& c = specs_of(plan, described, specs);
    const arma::uword repeat = described["repeat"], fold = described["fold"];
    const Fold all = described["all_rows"] ? c.all_rows() : Fold{};
    FoldTask task{&specs, c.data.get(), described["all_rows"] ? all : c.folds[repeat][fold], repeat, fold, {}};
    task.ranks = plan.ranks;
    const auto clock = make_clock();
    if (described.contains("algorithms")) {
      task.algorithms = described["algorithms"].get<std::vector<std::string>>();
      run_task(
          task, *clock, [] { return false; }, [](const Record&) {});
    } else {
      const Json& network = described["network"];
      std::optional<Size> size;
      if (network.contains("size")) size = Size{network["size"][0], network["size"][1]};
      network_at(task, network["algorithm"], size, *clock);
    }
  }
}

Json what_runs(const Json& config, const Plan& plan) {
  Json data = Json::object();
  for (const PlannedCase& c : plan.cases) data[c.data->name] = c.data->sha256;
  return {{"program", describe_program()["elmx"]["sha256"]},
          {"config", config},
          {"data", data},
          {"BLAS kernel", blas_kernel()}};
}

}  // namespace elmx
