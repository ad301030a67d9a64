#include <array>
#include <map>
#include <set>
#include <tuple>

#include "report/tables/methods_of_rows.hpp"

namespace elmx {
namespace {

using MethodKey = std::tuple<std::string, std::string, std::string>;  // case, data set, algorithm

MethodKey method_key(const RecordRow& row) { return {row.experiment_case, row.dataset, row.algorithm}; }

std::set<MethodKey> methods_that_chose(const std::vector<RecordRow>& rows) {
  std::set<MethodKey> keys;
  for (const RecordRow& row : rows) {
    if (!row.chosen.empty() && row.chosen != kBestOnTest) keys.insert(method_key(row));
  }
  return keys;
}

auto step_key(const RecordRow& row, const RecordedStep& step) {
  return std::tuple(method_key(row), row.point, step.step->nodes, step.step->iterations, step.repeat, step.fold);
}
using Costs = std::map<decltype(step_key(std::declval<RecordRow>(), std::declval<RecordedStep>())), double>;

Costs costs_of(const std::vector<RecordRow>& rows, const std::vector<std::string>& metrics) {
  Costs costs;
  for (const RecordRow& row : rows) {
    for (const RecordedStep& step : row.steps) {
      // The first quantity that the step has is used; try_emplace ignores later ones.
      for (const std::string& metric : metrics) {
        if (const auto value = value_of(step, metric))
          costs.try_emplace(step_key(row, step), quantity_of(metric).better == Better::lower ? *value : -*value);
      }
    }
  }
  return costs;
}

/// The sort key of a step, smaller is better: its cost, nodes, iterations and negative penalties.
using Demerit = std::tuple<double, std::size_t, std::size_t, std::array<double, 3>>;

Demerit demerit_of(const RecordRow& row, const RecordedStep& step, double cost) {
  constexpr std::array<const char*, 3> places = {"/model/ridge", "/model/tau_lambda", "/model/tau_w"};
  std::array<double, 3> penalties = {};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto found = row.point.find(places[i]);
    if (found != row.point.end() && found->second.is_number()) penalties[i] = -found->second.get<double>();
  }
  return {cost, step.step->nodes, step.step->iterations, penalties};
}

/// Returns a row with the best step of each trial.
RecordRow chosen_row(const std::vector<const RecordRow*>& points, const Costs& costs) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::pair<Demerit, RecordedStep>>> of_trial;
  for (const RecordRow* row : points) {
    for (const RecordedStep& step : row->steps) {
      auto& steps = of_trial[{step.repeat, step.fold}];
      if (const auto cost = costs.find(step_key(*row, step)); cost != costs.end())
        steps.emplace_back(demerit_of(*row, step, cost->second), step);
    }
  }
  RecordRow chosen;
  chosen.experiment_case = points[0]->experiment_case;
  chosen.dataset = points[0]->dataset;
  chosen.algorithm = points[0]->algorithm;
  chosen.units = points[0]->units;
  chosen.chosen = "by validation";
  chosen.over = {kNodes};
  for (const auto& [place, value] : points[0]->point) chosen.over.push_back(place);
  for (const auto& [trial, steps] : of_trial) {
    if (steps.empty())
      throw ConfigError("--validation", "no folder has all trials of " + chosen.algorithm + " on " + chosen.dataset);
    chosen.steps.push_back(std::ranges::min_element(steps, {}, [](const auto& step) { return step.first; })->second);
  }
  return chosen;
}

}  // namespace

std::vector<RecordRow> choices_in(const std::vector<RecordRow>& rows) {
  const std::set<MethodKey> have_chosen = methods_that_chose(rows);
  std::vector<RecordRow> chosen = without_grids(rows);
  std::erase_if(
      chosen, [&](const RecordRow& row) { return row.chosen == kBestOnTest && have_chosen.contains(method_key(row)); });
  return chosen;
}

std::vector<RecordRow> choose_by_validation(const std::vector<RecordRow>& rows,
                                            const std::vector<RecordRow>& validation,
                                            const std::vector<std::string>& metrics) {
  const Costs costs = costs_of(validation, metrics);
  const std::set<MethodKey> have_chosen = methods_that_chose(rows);
  std::map<MethodKey, std::vector<const RecordRow*>> points;
  for (const RecordRow& row : rows) {
    if (row.chosen.empty() && !row.imported) points[method_key(row)].push_back(&row);
  }
  std::vector<RecordRow> all;
  for (const RecordRow& row : rows) {
    const auto found = points.find(method_key(row));
    const bool open = found != points.end() && found->second.size() > 1 && !have_chosen.contains(found->first);
    if (!open) all.push_back(row);
    if (open && found->second[0] == &row) all.push_back(chosen_row(found->second, costs));
  }
  return all;
}

}  // namespace elmx
