#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "base/numbers.hpp"
#include "metrics/formulas.hpp"
#include "models/trainer.hpp"
#include "report/frame/row_keys.hpp"
#include "report/frame/selection.hpp"
#include "report/tables/methods.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

using Identity = std::vector<std::string>;  ///< case, algorithm, swept texts; or the value of one field

/// The digests of data and test part by repeat and fold, of all trials that have them, including failed ones.
using Samples = std::map<std::pair<arma::uword, arma::uword>, std::string>;

/// The rows of each method, all tested on the same samples in the same units.
struct MethodsOfDataSet {
  std::string data_set;
  Samples samples = {};
  std::map<Identity, std::vector<RecordRow>> methods = {};
  std::vector<Identity> order = {};

  const std::vector<RecordRow>& first_rows() const { return methods.at(order[0]); }
};

Samples samples_of(const RecordRow& row) {
  Samples samples;
  for (const RecordTrial& trial : trials_of(row)) {
    const auto& [data, train, test] = trial.record->samples;
    if (!test.empty()) samples.emplace(std::pair(trial.record->repeat, trial.record->fold), data + test);
  }
  return samples;
}

/// Returns true if the samples agree in all trials that both have.
bool may_be_the_same(const Samples& a, const Samples& b) {
  return std::ranges::all_of(a, [&](const auto& one) {
    const auto found = b.find(one.first);
    return found == b.end() || found->second == one.second;
  });
}

/// Returns the key of a method. Imported predictions have no case: they are one method beside all cases.
Identity identity_of(const RecordRow& row, const Dimension* by, bool with_cases) {
  if (by != nullptr) {
    const Json value = by->value(row, {});
    return {value.is_null() || value == "" ? row.algorithm : text_of(value)};
  }
  if (row.imported) return {"", row.algorithm};
  Identity identity = {with_cases ? row.experiment_case : "", row.algorithm};
  for (const auto& [place, value] : row.point) {
    if (value.is_string()) identity.push_back(value.get<std::string>());
  }
  return identity;
}

std::vector<MethodsOfDataSet> data_sets_in(const std::vector<RecordRow>& rows, const Dimension* by, bool with_cases) {
  std::vector<MethodsOfDataSet> all;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> of_data;
  for (const RecordRow& row : rows) {
    if (row.trials() == 0) continue;
    const Samples samples = samples_of(row);
    std::vector<std::size_t>& alike = of_data[{row.dataset, row.units}];
    auto found = std::ranges::find_if(alike, [&](std::size_t i) { return may_be_the_same(all[i].samples, samples); });
    if (found == alike.end()) {
      found = alike.insert(alike.end(), all.size());
      all.push_back({row.dataset});
    }
    MethodsOfDataSet& there = all[*found];
    there.samples.insert(samples.begin(), samples.end());
    const auto [method, is_new] = there.methods.try_emplace(identity_of(row, by, with_cases));
    if (is_new) there.order.push_back(method->first);
    if (is_new || !row.imported) method->second.push_back(row);
  }
  return all;
}

/// Returns true if a data set has several cases. A case that has its samples alone only names them.
bool cases_tell_apart(const std::vector<MethodsOfDataSet>& all) {
  return std::ranges::any_of(all, [](const MethodsOfDataSet& one) {
    std::set<std::string> cases;
    for (const Identity& identity : one.order) cases.insert(identity[0]);
    cases.erase("");
    return cases.size() > 1;
  });
}

/// Makes names of data sets unique: appends the case, then the swept values (if all rows have the same), then
/// a number.
void name_apart(std::vector<MethodsOfDataSet>& all) {
  for (const int step : {0, 1, 2}) {
    std::map<std::string, std::size_t> count;
    for (const MethodsOfDataSet& one : all) ++count[one.data_set];
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (count[all[i].data_set] < 2) continue;
      const Dimensions dimensions(all[i].first_rows());
      std::set<std::string> texts;
      for (const auto& [identity, rows] : all[i].methods) {
        for (const RecordRow& row : rows)
          texts.insert(step == 0   ? row.experiment_case
                       : step == 1 ? point_text(traits_of(row, dimensions))
                                   : std::to_string(i + 1));
      }
      if (texts.size() == 1 && !texts.begin()->empty()) all[i].data_set += ", " + *texts.begin();
    }
  }
}

/// Returns names made of the parts of the identities in which they differ.
std::map<Identity, std::string> names_of(std::span<const MethodsOfDataSet> data_sets) {
  std::map<Identity, std::string> names;
  for (const MethodsOfDataSet& one : data_sets) {
    for (const Identity& identity : one.order) names.emplace(identity, "");
  }
  for (auto& [identity, name] : names) {
    for (std::size_t part = 0; part < identity.size(); ++part) {
      const bool differs = std::ranges::any_of(names, [&, &own = identity](const auto& other) {
        return part >= other.first.size() || other.first[part] != own[part];
      });
      if (differs && !identity[part].empty()) name += (name.empty() ? "" : ": ") + identity[part];
    }
    if (name.empty()) name = identity[identity.size() > 1];
  }
  return names;
}

/// Returns the parameters of a row that vary within its method, "nodes 100, ridge 0.01". Missing nodes
/// (kernel machines, linear models) are not mentioned.
std::string setting_of(const RecordRow& row, const std::vector<RecordRow>& all) {
  std::vector<std::string> parts = RowKeys(all).texts(
      row, [](const Column& key) { return key.name != "case" && key.name != "dataset" && key.name != "algorithm"; });
  std::erase(parts, "nodes 0");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Adds the method with these settings on one more data set.
void append(const std::vector<RecordRow>& rows, const std::string& data_set, bool balanced, ComparedSide& side) {
  const bool several = rows.size() > 1;
  RecordRow best = several ? best_on_test(rows, balanced) : rows[0];
  const std::size_t count = several ? rows.size() : best.chosen == kBestOnTest ? 0 : 1;
  for (const RecordRow& row : rows) {  // the rule of the earlier choice is part of the setting
    if (several && row.nodes == best.nodes && row.point == best.point && row.iterations == best.iterations)
      best.chosen = row.chosen;
  }
  if (best.chosen == kBestOnTest) best.chosen.clear();
  side.methods.back().settings.push_back({setting_of(best, rows), count});
  best.dataset = data_set;
  side.rows.push_back(std::move(best));
}

/// Makes one row per data set, with the rows of all sides.
void connect(MethodComparison& comparison) {
  comparison.rows.clear();
  for (std::size_t i = 0; i < comparison.sides[0].rows.size(); ++i) {
    comparison.rows.emplace_back();
    for (const ComparedSide& side : comparison.sides) comparison.rows.back().push_back(&side.rows[i]);
  }
}

MethodComparison comparison_of(std::span<const MethodsOfDataSet> data_sets, const std::string& metric) {
  const std::map<Identity, std::string> names = names_of(data_sets);
  MethodComparison comparison{{}, {}, {quantity_of(metric)}};
  for (const Identity& identity : data_sets[0].order) {
    const std::string& name = names.at(identity);
    comparison.sides.push_back({name, {}, {{name}}});
    for (const MethodsOfDataSet& one : data_sets)
      append(one.methods.at(identity), one.data_set, metric == "test_bac", comparison.sides.back());
  }
  connect(comparison);
  return comparison;
}

/// Returns all numbers that are printed for a method.
std::string print_of(const ComparedSide& side, const Quantity& metric) {
  std::string text;
  for (const RecordRow& row : side.rows) {
    text += plain_text(summary_cell(row, metric.name, metric.display));
    for (const RecordedStep& step : row.steps)
      text += fmt::format("|{}.{}: {}", step.repeat, step.fold,
                          plain_text(number_cell(value_of(step, metric.name).value_or(nan), metric.display)));
    for (const RecordTrial& trial : row.failures)
      text += fmt::format("|{}.{}: {}", trial.record->repeat, trial.record->fold, trial.status.why);
    text += '\n';
  }
  return text;
}

bool has(const MethodsOfDataSet& one, const std::string& metric) {
  return std::ranges::any_of(one.methods, [&](const auto& method) {
    return std::ranges::any_of(method.second, [&](const RecordRow& row) { return summary_of(row, metric).n > 0; });
  });
}

/// Removes rows with fewer samples or classes than the last step: a method is the network of all of them.
void keep_last_steps(std::vector<RecordRow>& rows) {
  const auto method_of = [](const RecordRow& row) {
    return std::tuple(row.experiment_case, row.dataset, row.algorithm, row.point);
  };
  std::map<decltype(method_of(RecordRow())), double> last;
  const auto step_of = [](const RecordRow& row) { return row.parameters.begin()->second; };
  for (const RecordRow& row : rows) {
    if (!in_steps(row.parameters)) continue;
    const auto [found, is_new] = last.try_emplace(method_of(row), step_of(row));
    if (!is_new) found->second = std::max(found->second, step_of(row));
  }
  std::erase_if(
      rows, [&](const RecordRow& row) { return in_steps(row.parameters) && step_of(row) < last.at(method_of(row)); });
}

/// Removes grid points that have a choice, choices on the test part that have another choice, and steps
/// before the last one.
std::vector<RecordRow> choices_in(std::vector<RecordRow> rows) {
  prefer_choices_of_trials(rows, [](const RecordRow& row) { return row.chosen == kBestOnTest; });
  rows = without_grids(std::move(rows));
  keep_last_steps(rows);
  return rows;
}

}  // namespace

bool judges_by_balanced_accuracy(const RunDescription& run, const std::vector<RecordRow>& rows,
                                 const std::string& data_set) {
  std::vector<const RecordRow*> saving;
  for (const RecordRow& row : rows) {
    if (row.dataset != data_set || row.imported) continue;
    const SelectOptions& select = select_of(run.select, row);
    if (select.wanted()) return select.by == "loo_bac";
    if (run.saving.contains(row.experiment_case)) saving.push_back(&row);
  }
  return std::ranges::any_of(
      saving, [](const RecordRow* row) { return is_unbalanced(arma::sum(pooled_confusion(row->steps).C, 1)); });
}

Standing standing_in(const MethodComparison& comparison, std::size_t data_set) {
  const Quantity& metric = comparison.metrics[0];
  std::vector<std::tuple<bool, bool, double>> places;  // no number, failed trials, score
  std::vector<double> scores;
  for (const RecordRow* row : comparison.rows[data_set]) {
    const Summary summary = summary_of(*row, metric.name);
    places.emplace_back(summary.n == 0, summary.n != row->trials(), 0);
    scores.push_back(summary.n == 0 ? 0 : metric.better == Better::lower ? summary.mean : -summary.mean);
  }
  const std::vector<double> tied = tied_scores(scores);
  for (std::size_t i = 0; i < places.size(); ++i) std::get<2>(places[i]) = tied[i];
  Standing standing{std::vector<std::size_t>(places.size())};
  std::iota(standing.order.begin(), standing.order.end(), std::size_t{0});
  std::ranges::stable_sort(standing.order, {}, [&](std::size_t i) { return places[i]; });
  const std::size_t best = standing.order[0];
  standing.first = static_cast<std::size_t>(std::ranges::count(places, places[best]));
  for (std::size_t i = 0; i < places.size(); ++i)
    standing.behind_by_fails = standing.behind_by_fails || (!std::get<0>(places[i]) && tied[i] < tied[best]);
  return standing;
}

void put_in_order(const std::vector<std::size_t>& order, MethodComparison& comparison) {
  std::vector<ComparedSide> sides;
  for (const std::size_t i : order) sides.push_back(std::move(comparison.sides[i]));
  comparison.sides = std::move(sides);
  connect(comparison);
}

void join_alike(MethodComparison& comparison) {
  std::map<std::string, std::size_t> first_with;  // by printed numbers
  std::vector<ComparedSide> sides;
  for (ComparedSide& side : comparison.sides) {
    const auto [found, is_new] = first_with.try_emplace(print_of(side, comparison.metrics[0]), sides.size());
    if (is_new) {
      sides.push_back(std::move(side));
    } else {
      sides[found->second].methods.push_back(std::move(side.methods.front()));
      sides[found->second].name += ", " + side.name;
    }
  }
  comparison.sides = std::move(sides);
  connect(comparison);
}

std::vector<MethodComparison> methods_of(const std::vector<RecordRow>& rows, const Dimension* by,
                                         const std::vector<std::string>& metrics) {
  const std::vector<RecordRow> chosen = choices_in(rows);
  std::vector<MethodsOfDataSet> all = data_sets_in(chosen, by, true);
  if (by == nullptr && !cases_tell_apart(all)) all = data_sets_in(chosen, by, false);
  name_apart(all);
  std::vector<MethodComparison> found;
  for (const std::string& metric : metrics) {
    const auto rest =
        std::stable_partition(all.begin(), all.end(), [&](const MethodsOfDataSet& one) { return has(one, metric); });
    const std::span<const MethodsOfDataSet> data_sets(all.begin(), rest);
    const bool together =
        data_sets.size() > 1 && data_sets[0].methods.size() > 1 && std::ranges::all_of(data_sets, [&](const auto& one) {
          return std::ranges::is_permutation(one.order, data_sets[0].order);
        });
    const std::size_t step = together ? data_sets.size() : 1;
    for (std::size_t i = 0; i < data_sets.size(); i += step)
      found.push_back(comparison_of(data_sets.subspan(i, step), metric));
    all.erase(all.begin(), rest);
  }
  return found;
}

}  // namespace elmx
