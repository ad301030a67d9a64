#include "experiment/run/worker_loop.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "base/communicator.hpp"
#include "base/version.hpp"
#include "linalg/grid_layout.hpp"

namespace elmx {
namespace {

constexpr const char* kGoOn = "go on";

bool leads() { return ranks().count() > 1 && ranks().first(); }

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

/// Returns the beginning of a message on a case (case "small": ), or "" if the case has no name.
std::string case_text(const PlannedCase& c) {
  return c.spec().name.empty() ? "" : fmt::format("case \"{}\": ", c.spec().name);
}

}  // namespace

void broadcast_task(const FoldTask& task) {
  if (!leads()) return;
  Json described = description(task);
  described["algorithms"] = task.algorithms;
  ranks().of_first(described.dump());
}

void broadcast_task(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size) {
  if (!leads()) return;
  Json described = description(task);
  described["network"] = {{"algorithm", algorithm}};
  if (size) described["network"]["size"] = {size->nodes, size->iterations};
  ranks().of_first(described.dump());
}

void announce_end() {
  if (leads()) ranks().of_first("");
}

std::function<bool()> of_first_rank(const std::function<bool()>& stopped) {
  if (ranks().count() == 1) return stopped;
  return [stopped] { return ranks().of_first(ranks().first() && stopped() ? "stop" : kGoOn) != kGoOn; };
}

void follow(const Plan& plan, const std::function<std::unique_ptr<Clock>()>& make_clock) {
  for (;;) {
    const std::string told = ranks().of_first("");
    if (told.empty()) return;
    const Json described = Json::parse(told);
    std::vector<CaseSpec> specs;
    const PlannedCase& c = specs_of(plan, described, specs);
    const arma::uword repeat = described["repeat"], fold = described["fold"];
    const Fold all = described["all_rows"] ? c.all_rows() : Fold{};
    FoldTask task{&specs, c.data.get(), described["all_rows"] ? all : c.folds[repeat][fold], repeat, fold, {}};
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

void refuse_over_ranks(const Plan& plan, int ranks) {
  const auto count = static_cast<arma::uword>(ranks);
  for (const PlannedCase& c : plan.cases) {
    for (const CaseSpec& spec : c.specs) {
      const std::string why = spec.model->needs_one_rank();  // "/precision: the problem"
      const std::size_t end = why.find(": ");
      if (!why.empty()) throw ConfigError("/model" + why.substr(0, end), case_text(c) + why.substr(end + 2));
    }
    for (const auto& repeat : c.folds) {
      for (const Fold& fold : repeat) {
        if (fold.train.n_elem < count)
          throw ConfigError(fmt::format("{}{} training samples for {} ranks; use at most as many ranks as samples",
                                        case_text(c), fold.train.n_elem, count));
      }
    }
  }
}

void refuse_beyond_indices(const Plan& plan, int ranks) {
  for (const PlannedCase& c : plan.cases) {
    const arma::uword nodes = c.cost.shared;
    if (within_indices(nodes, ranks)) continue;
    throw ConfigError(
        "/model/nodes",
        fmt::format("{}{} columns over {} are more than 2^31 numbers on one rank, which ScaLAPACK cannot count; use at "
                    "least {} ranks or fewer nodes",
                    case_text(c), nodes, counted(static_cast<std::size_t>(ranks), "rank"),
                    ranks_within_indices(nodes, ranks)));
  }
}

Json what_runs(const Json& config, const Plan& plan) {
  Json data = Json::object();
  for (const PlannedCase& c : plan.cases) data[c.data->name] = c.data->sha256;
  return {{"program", program_sha256()}, {"config", config}, {"data", data}, {"BLAS kernel", blas_kernel()}};
}

}  // namespace elmx
