#include "report/frame/selection.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/numbers.hpp"
#include "metrics/registry.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/row_keys.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

const std::string kBy = "by ";

/// Returns the key that all rows of one grid share: everything except the fields that are chosen.
auto grid_key(const RecordRow& row, const std::vector<std::string>& over) {
  std::map<std::string, Json> point = row.point;
  std::map<std::string, double> parameters = row.parameters;
  for (const std::string& place : over) {
    point.erase(place);
    parameters.erase(place);
  }
  const auto nodes = std::ranges::count(over, kNodes) > 0 ? std::nullopt : row.nodes;
  return std::tuple(row.experiment_case, row.dataset, point, parameters, nodes, row.algorithm, row.iterations,
                    row.chosen);
}

/// Returns the row with the chosen fields left open.
RecordRow opened(RecordRow row, const SelectOptions& select) {
  for (const std::string& place : select.over) {
    if (place == kNodes) row.nodes.reset();
    row.point.erase(place);
  }
  row.over = select.over;
  row.one_of_grid = false;
  return row;
}

RecordRow chosen_row(const std::vector<RecordRow>& grid, const SelectOptions& select) {
  RecordRow row = opened(grid.front(), select);
  row.chosen = kBy + select.by;
  row.steps.clear();
  row.failures.clear();
  const auto merit = [&](const RecordedStep& step) { return merit_of(*step.record, *step.step, select.by); };
  std::map<std::pair<std::size_t, std::size_t>, RecordedStep> best;  // by repeat and fold
  std::map<std::pair<std::size_t, std::size_t>, const Record*> trials;
  for (const RecordRow& point : grid) {
    for (const RecordTrial& trial : trials_of(point))
      trials.try_emplace({trial.record->repeat, trial.record->fold}, trial.record);
    for (const RecordedStep& step : point.steps) {
      if (!merit(step)) continue;
      const auto [found, first] = best.try_emplace({step.repeat, step.fold}, step);
      if (!first && merit(found->second) < merit(step)) found->second = step;
    }
  }
  for (const auto& [trial, step] : best) row.steps.push_back(step);
  for (const auto& [trial, record] : trials) {
    const TrialStatus why = TrialStatus::other("no " + select.by + " at any point");
    if (!best.contains(trial)) row.failures.push_back({record, nullptr, why});
  }
  return row;
}

}  // namespace

RecordRow best_on_test(std::span<const RecordRow> points, bool balanced) {
  const char* const accuracy = balanced ? "test_bac" : "test_acc";
  const bool classifies =
      std::ranges::any_of(points, [&](const RecordRow& row) { return summary_of(row, accuracy).n > 0; });
  // Prefers points where all trials have a number, then points where some have one, then the better mean.
  const auto merit = [&](const RecordRow& row) {
    const Summary summary = summary_of(row, classifies ? accuracy : "test_rmse");
    return std::tuple(summary.n == row.trials(), summary.n > 0,
                      summary.n == 0 ? 0
                      : classifies   ? summary.mean
                                     : -summary.mean);
  };
  const auto best = merit(*std::ranges::max_element(points, {}, merit));
  RecordRow found = *std::ranges::find_if(points, [&](const RecordRow& row) {
    const auto [all, some, mean] = merit(row);
    const auto [best_all, best_some, best_mean] = best;
    return all == best_all && some == best_some && equal_but_for_rounding(mean, best_mean);
  });
  found.chosen = kBestOnTest;
  found.one_of_grid = false;
  return found;
}

const SelectOptions& select_of(const Selections& selections, const RecordRow& row) {
  static const SelectOptions none;
  const auto found = selections.find(row.experiment_case);
  return found == selections.end() ? none : found->second;
}

std::vector<RecordRow> with_selections(std::vector<RecordRow> rows, const Selections& selections) {
  std::vector<std::vector<RecordRow>> grids;  // in the order of their first rows
  std::map<decltype(grid_key(RecordRow(), {})), std::size_t> places;
  for (RecordRow& row : rows) {
    const auto [place, is_new] = places.try_emplace(grid_key(row, select_of(selections, row).over), grids.size());
    if (is_new) grids.emplace_back();
    grids[place->second].push_back(std::move(row));
  }
  std::vector<RecordRow> all;
  for (std::vector<RecordRow>& grid : grids) {
    const SelectOptions& select = select_of(selections, grid.front());
    const bool several = grid.size() > 1;
    for (RecordRow& row : grid) {
      if (!select.over.empty()) row.one_of_grid = several;
      all.push_back(row);
    }
    if (!several || select.over.empty()) continue;
    all.push_back(opened(best_on_test(grid, select.by == "loo_bac"), select));
    if (!select.wanted()) continue;
    const bool trained = std::ranges::any_of(grid, [](const RecordRow& point) { return !point.steps.empty(); });
    RecordRow chosen = chosen_row(grid, select);
    // An algorithm without the metric of the choice chooses nothing, but has not failed.
    if (!chosen.steps.empty() || !trained) all.push_back(std::move(chosen));
  }
  return all;
}

void prefer_choices_of_trials(std::vector<RecordRow>& rows, const std::function<bool(const RecordRow&)>& worse) {
  const auto method_of = [](const RecordRow& row) {
    return std::tuple(row.experiment_case, row.dataset, row.algorithm);
  };
  std::set<decltype(method_of(RecordRow()))> choosing;
  for (const RecordRow& row : rows) {
    if (!row.chosen.empty() && row.chosen != kBestOnTest) choosing.insert(method_of(row));
  }
  std::erase_if(rows, [&](const RecordRow& row) { return worse(row) && choosing.contains(method_of(row)); });
}

Table selected_table(std::vector<RecordRow> rows) {
  std::erase_if(rows, [](const RecordRow& row) { return row.steps.empty() || !row.chosen.starts_with(kBy); });
  std::set<std::string> metrics;
  for (const RecordRow& row : rows) {
    for (const RecordedStep& step : row.steps) {
      for (const auto& [name, value] : step.step->metrics) {
        if (name.starts_with("test_")) metrics.insert(name);
      }
    }
  }
  const Dimensions dimensions(rows);
  Fields keys;
  for (const char* name : {"case", "dataset", "algorithm", "repeat", "fold", "chosen"})
    keys.push_back(&dimensions.find(name, ""));
  for (const Dimension& dimension : dimensions.all()) {
    if (dimension.kind == DimensionKind::swept) keys.push_back(&dimension);
  }
  keys.push_back(&dimensions.find(kNodes, ""));
  Table table{"selected", "What each trial has chosen"};
  table.only_in_file = true;
  for (const Dimension* key : keys) table.columns.push_back(key_column(*key));
  table.columns.push_back({"value", "value", Worth::detail});
  for (const std::string& name : metrics) table.columns.push_back({name, name, Worth::result});
  for (const RecordRow& row : rows) {
    for (const RecordedStep& step : row.steps) {
      std::vector<Cell>& cells = table.rows.emplace_back();
      for (const Dimension* key : keys)
        cells.push_back(key->name == "case" ? text_cell(row.experiment_case) : cell_of(key->value(row, step)));
      cells.push_back(number_cell(value_of(step, row.chosen.substr(kBy.size())).value_or(nan)));
      for (const std::string& name : metrics) cells.push_back(number_cell(value_of(step, name).value_or(nan)));
    }
  }
  return table;
}

std::vector<Choice> choices_of(const std::vector<RecordRow>& rows, const Selections& select) {
  std::vector<Choice> choices;
  for (const RecordRow& row : rows) {
    const SelectOptions& rule = select_of(select, row);
    if (!rule.wanted() || row.chosen == kBestOnTest || row.one_of_grid) continue;
    for (const RecordedStep& step : row.steps)
      choices.push_back({step, rule.by, value_of(step, rule.by).value_or(nan)});
  }
  return choices;
}

bool is_better(const Choice& a, const Choice& b) {
  if (a.by != b.by) return false;
  if (std::isnan(a.value) || std::isnan(b.value)) return std::isnan(b.value) && !std::isnan(a.value);
  if (a.value == b.value) return a.taken.step->nodes < b.taken.step->nodes;
  return metric_named(a.by).better == Better::higher ? a.value > b.value : a.value < b.value;
}

std::vector<Choice> nested_choices(const std::vector<Choice>& choices) {
  std::map<std::pair<std::size_t, std::size_t>, const Choice*> best;
  for (const Choice& choice : choices) {
    const auto [of_fold, is_new] = best.try_emplace({choice.taken.repeat, choice.taken.fold}, &choice);
    if (!is_new && is_better(choice, *of_fold->second)) of_fold->second = &choice;
  }
  std::vector<Choice> nested;
  for (const auto& [fold, choice] : best) nested.push_back(*choice);
  return nested;
}

}  // namespace elmx
