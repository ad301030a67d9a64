#include "tables/validated_choices.hpp"

#include <fmt/core.h>

#include <array>
#include <map>
#include <tuple>

#include "results/dimensions.hpp"
#include "results/quantities.hpp"

namespace elmx {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // case, data set, algorithm

Key key_of(const RecordRow& row) { return {row.experiment_case, row.dataset, row.algorithm}; }

auto place_of(const RecordRow& row, const RecordedStep& step) {
  return std::tuple(key_of(row), row.point, step.step->nodes, step.step->iterations, step.repeat, step.fold);
}
using Place = decltype(place_of(std::declval<RecordRow>(), std::declval<RecordedStep>()));

/// How bad a step is, as validation has found: the smaller the better.
using Demerit = std::tuple<double, arma::uword, arma::uword, std::array<double, 3>>;

Demerit demerit_of(const RecordRow& row, const RecordedStep& step, double cost) {
  constexpr std::array<const char*, 3> places = {"/model/ridge", "/model/tau_lambda", "/model/tau_w"};
  std::array<double, 3> penalties = {};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto found = row.point.find(places[i]);
    if (found != row.point.end() && found->second.is_number()) penalties[i] = -found->second.get<double>();
  }
  return {cost, step.step->nodes, step.step->iterations, penalties};
}

std::map<Place, double> costs_of(const std::vector<RecordRow>& rows, const std::vector<std::string>& metrics) {
  std::map<Place, double> costs;
  for (const RecordRow& row : rows) {
    for (const RecordedStep& step : row.steps) {
      for (const std::string& metric : metrics) {
        const auto value = value_of(step, metric);
        if (value)
          costs.try_emplace(place_of(row, step), quantity_of(metric).better == Better::lower ? *value : -*value);
        if (value) break;
      }
    }
  }
  return costs;
}

/// The best step of each trial.
RecordRow chosen_row(const std::vector<const RecordRow*>& points, const std::map<Place, double>& costs) {
  RecordRow chosen = *points[0];
  chosen.chosen = kByValidation;
  chosen.one_of_grid = false;
  chosen.over = {kNodes};
  for (const auto& [place, value] : chosen.point) chosen.over.push_back(place);
  chosen.point.clear();
  chosen.nodes.reset();
  chosen.iterations = 0;
  chosen.steps.clear();
  chosen.failures.clear();
  std::map<std::pair<arma::uword, arma::uword>, std::pair<Demerit, RecordedStep>> best;
  for (const RecordRow* row : points) {
    for (const RecordedStep& step : row->steps) {
      const auto cost = costs.find(place_of(*row, step));
      if (cost == costs.end()) continue;
      const Demerit demerit = demerit_of(*row, step, cost->second);
      const auto [found, is_new] = best.try_emplace({step.repeat, step.fold}, demerit, step);
      if (!is_new && demerit < found->second.first) found->second = {demerit, step};
    }
  }
  for (const RecordRow* row : points) {
    for (const RecordedStep& step : row->steps) {
      if (!best.contains({step.repeat, step.fold}))
        throw ConfigError(fmt::format("--validation: no folder has {} on {}, repeat {}, fold {}", row->algorithm,
                                      row->dataset, step.repeat, step.fold));
    }
  }
  for (const auto& [trial, step] : best) chosen.steps.push_back(step.second);
  return chosen;
}

}  // namespace

std::vector<RecordRow> choose_by_validation(const std::vector<RecordRow>& rows,
                                            const std::vector<RecordRow>& validation,
                                            const std::vector<std::string>& metrics) {
  const std::map<Place, double> costs = costs_of(validation, metrics);
  std::map<Key, std::vector<const RecordRow*>> points;
  std::map<Key, bool> have_chosen;
  for (const RecordRow& row : rows) {
    if (row.chosen.empty() && !row.imported) points[key_of(row)].push_back(&row);
    if (!row.chosen.empty() && row.chosen != kBestOnTest) have_chosen[key_of(row)] = true;
  }
  std::vector<RecordRow> all;
  for (const RecordRow& row : rows) {
    const auto found = points.find(key_of(row));
    const bool open = found != points.end() && found->second.size() > 1 && !have_chosen[key_of(row)];
    if (!open) all.push_back(row);
    if (open && found->second[0] == &row) all.push_back(chosen_row(found->second, costs));
  }
  return all;
}

}  // namespace elmx
