#include "results/selection.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "metrics/registry.hpp"
#include "results/best_on_test.hpp"
#include "results/dimensions.hpp"
#include "results/row_keys.hpp"

namespace elmx {
namespace {

constexpr const char* kBy = "by ";
constexpr const char* kRidge = "/model/ridge";

/// The row with what is chosen left open.
RecordRow opened(RecordRow row, const SelectOptions& select) {
  for (const std::string& place : select.over) {
    if (place == kNodes) row.nodes.reset();
    row.point.erase(place);
  }
  row.over = select.over;
  return row;
}

/// What the rows of one grid have in common: everything but what is chosen.
using GridKey = std::tuple<std::string, std::string, std::map<std::string, Json>, std::map<std::string, double>,
                           std::optional<arma::uword>, std::string, arma::uword, std::string>;

GridKey key_of(const RecordRow& row, const SelectOptions& select) {
  GridKey key(row.experiment_case, row.dataset, row.point, row.parameters, row.nodes, row.algorithm, row.iterations,
              row.chosen);
  for (const std::string& place : select.over) {
    if (place == kNodes) std::get<4>(key).reset();
    std::get<2>(key).erase(place);
    std::get<3>(key).erase(place);
  }
  return key;
}

/// How good a step is, the larger the better.
class Merit {
 public:
  explicit Merit(const std::string& metric)
      : metric_(metric), sign_(metric_named(metric).better == Better::higher ? 1 : -1) {}

  bool has(const RecordedStep& step) const { return value_of(step, metric_).has_value(); }
  bool less(const RecordedStep& a, const RecordedStep& b) const { return merit(a) < merit(b); }

 private:
  std::tuple<double, double, double> merit(const RecordedStep& step) const {
    const auto ridge = step.record->point.find(kRidge);
    return {sign_ * *value_of(step, metric_), -static_cast<double>(step.step->nodes),
            ridge == step.record->point.end() ? 0 : ridge->second.get<double>()};
  }

  std::string metric_;
  double sign_;
};

RecordRow chosen_row(const std::vector<RecordRow>& grid, const SelectOptions& select) {
  RecordRow row = opened(grid.front(), select);
  row.chosen = kBy + select.by;
  row.one_of_grid = false;
  row.steps.clear();
  row.failures.clear();
  const Merit merit(select.by);
  std::map<std::pair<arma::uword, arma::uword>, RecordedStep> best;
  std::map<std::pair<arma::uword, arma::uword>, const Record*> trials;
  for (const RecordRow& point : grid) {
    for (const auto& [why, records] : point.failures) {
      for (const Record* record : records) trials.try_emplace({record->repeat, record->fold}, record);
    }
    for (const RecordedStep& step : point.steps) {
      trials.try_emplace({step.repeat, step.fold}, step.record);
      if (!merit.has(step)) continue;
      const auto [found, first] = best.try_emplace({step.repeat, step.fold}, step);
      if (!first && merit.less(found->second, step)) found->second = step;
    }
  }
  for (const auto& [trial, step] : best) row.steps.push_back(step);
  for (const auto& [trial, record] : trials) {
    if (!best.contains(trial)) row.failures["no " + select.by + " at any point"].push_back(record);
  }
  return row;
}

}  // namespace

std::vector<RecordRow> with_selections(std::vector<RecordRow> rows, const Selections& selections) {
  std::vector<std::pair<const SelectOptions*, std::vector<RecordRow>>> grids;  // in the order of their first rows
  std::map<GridKey, std::size_t> places;
  for (RecordRow& row : rows) {
    const auto found = selections.find(row.experiment_case);
    const bool chooses = found != selections.end() && !found->second.over.empty();
    std::size_t at = grids.size();
    if (chooses) at = places.try_emplace(key_of(row, found->second), at).first->second;
    if (at == grids.size()) grids.push_back({chooses ? &found->second : nullptr, {}});
    grids[at].second.push_back(std::move(row));
  }
  std::vector<RecordRow> all;
  for (auto& [select, grid] : grids) {
    const bool several = grid.size() > 1;
    for (RecordRow& row : grid) {
      if (select != nullptr) row.one_of_grid = several;
      all.push_back(row);
    }
    if (!several) continue;
    RecordRow best = opened(best_on_test(grid.begin(), grid.end()), *select);
    best.one_of_grid = false;
    all.push_back(std::move(best));
    if (!select->wanted()) continue;
    const bool trained = std::ranges::any_of(grid, [](const RecordRow& point) { return !point.steps.empty(); });
    RecordRow chosen = chosen_row(grid, *select);
    // An algorithm without the metric of the choice has chosen nothing; it has not failed.
    if (!chosen.steps.empty() || !trained) all.push_back(std::move(chosen));
  }
  return all;
}

Table selected_table(const std::vector<RecordRow>& rows) {
  std::vector<RecordRow> trials;  // a row each
  std::set<std::string> metrics;
  for (const RecordRow& row : rows) {
    if (!row.chosen.starts_with(kBy)) continue;
    for (const RecordedStep& step : row.steps) {
      trials.push_back(row_of(*step.record, step.step->nodes));
      trials.back().chosen = row.chosen;
      trials.back().steps = {step};
      for (const auto& [name, value] : step.step->metrics) {
        if (name.starts_with("test_")) metrics.insert(name);
      }
    }
  }
  const Dimensions dimensions(trials);
  std::vector<Dimension> keys;
  for (const char* name : {"case", "dataset", "algorithm", "repeat", "fold", "chosen"})
    keys.push_back(dimensions.find(name, ""));
  std::ranges::copy_if(dimensions.all(), std::back_inserter(keys),
                       [](const Dimension& dimension) { return dimension.kind == DimensionKind::swept; });
  keys.push_back(dimensions.find(kNodes, ""));
  Table table{"selected", "What each trial has chosen", {}, {}, {}, {}};
  table.only_in_file = true;
  for (const Dimension& key : keys) table.columns.push_back(key_column(key));
  table.columns.push_back({"value", "value", Worth::detail});
  for (const std::string& name : metrics) table.columns.push_back({name, name, Worth::result});
  for (const RecordRow& trial : trials) {
    const RecordedStep& step = trial.steps.front();
    std::vector<Cell> cells;
    for (const Dimension& key : keys) {
      const Json value = key.value(trial, {step.record, step.step, "ok"});
      cells.push_back(key.name == "case" ? text_cell(trial.experiment_case) : cell_of(value));
    }
    const auto add = [&](const std::string& name) {
      cells.push_back(number_cell(value_of(step, name).value_or(std::numeric_limits<double>::quiet_NaN())));
    };
    add(trial.chosen.substr(std::string(kBy).size()));
    for (const std::string& name : metrics) add(name);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace elmx
