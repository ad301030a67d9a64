#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/methods.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

using Comparisons = std::span<const MethodComparison>;

std::string shown_rank(double rank) { return show(rank, fixed_point(2)); }

/// Returns true if the data sets, as far as their content is known, are different.
bool different_contents(Comparisons comparisons) {
  std::set<std::string> contents;
  for (const MethodComparison& comparison : comparisons) {
    for (const MatchedRows& rows : comparison.rows) {
      const auto trained = std::ranges::find_if(rows, [](const RecordRow* row) { return !row->steps.empty(); });
      if (trained == rows.end()) continue;
      const Record& record = *(*trained)->steps[0].record;
      const auto& [data, train, test] = record.samples;
      // Equal texts mean the same data with other folds or seeds.
      std::string same = record.experiment_case + '/' + record.dataset + '/' + data;
      for (const auto& [place, value] : record.point) {
        if (place.starts_with("/data/")) same += '/' + value.dump();
      }
      if (!contents.insert(same).second || (!data.empty() && !contents.insert(data + test).second)) return false;
    }
  }
  return true;
}

/// Returns the data sets on which a method has no number.
std::vector<std::string> incomplete(const MethodComparison& comparison) {
  std::vector<std::string> names;
  for (const MatchedRows& rows : comparison.rows) {
    const auto lacks = [&](const RecordRow* row) { return summary_of(*row, comparison.metrics[0].name).n == 0; };
    if (std::ranges::any_of(rows, lacks)) names.push_back(rows[0]->dataset);
  }
  return names;
}

/// Returns the scores of the sides of the first comparison, without ranks.
MethodRanks scores_of(Comparisons comparisons) {
  const bool several = comparisons.size() > 1;
  std::string title = several ? "Scores of each method" : comparisons[0].metrics[0].label + " of each method";
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  MethodRanks found{"", {"answer", title, {{"dataset", "dataset"}}}};
  Table& table = found.scores;
  if (several) table.columns.push_back({"metric", "metric"});
  for (const ComparedSide& side : comparisons[0].sides) {
    found.methods.push_back(side.name);
    for (const ComparedMethod& method : side.methods) table.columns.push_back({method.name, method.name});
  }
  for (const MethodComparison& comparison : comparisons) {
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
      const Standing standing = standing_in(comparison, i);
      const std::span<const std::size_t> best(standing.order.data(), standing.first);
      std::vector<Cell> cells = {text_cell(comparison.rows[i][0]->dataset)};
      if (several) cells.push_back(text_cell(comparison.metrics[0].name));
      for (std::size_t j = 0; j < comparison.sides.size(); ++j) {
        const bool is_best = std::ranges::find(best, j) != best.end();
        cells.insert(cells.end(), comparison.sides[j].methods.size(),
                     score_cell(*comparison.rows[i][j], comparison.metrics[0], is_best, table));
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return found;
}

std::string friedman_text(const MethodRanks& found, double alpha) {
  const FriedmanResult& friedman = found.ranks.friedman;
  const std::size_t k = found.methods.size();
  if (friedman.smallest_p > alpha)
    return fmt::format("Friedman's test cannot decide: {} methods need at least {} data sets for p <= {}.", k,
                       data_sets_needed(k, alpha), shown_level(alpha));
  const std::string p = "p = " + show(friedman.p, significant(2));
  if (friedman.p > alpha) return "Friedman's test finds no difference of the methods (" + p + ").";
  std::vector<std::string> apart;
  const std::vector<std::size_t> order = order_of(friedman.ranks);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (found.ranks.apart(order[i], order[j]))
        apart.push_back(fmt::format("\"{}\" and \"{}\"", found.methods[order[i]], found.methods[order[j]]));
    }
  }
  return fmt::format(
      "Friedman's test finds that the methods differ ({}); by Nemenyi's test, with a critical difference of {}, {}.", p,
      shown_rank(found.ranks.critical_difference),
      apart.empty() ? "no two of them do" : fmt::format("these do: {}", fmt::join(apart, ", ")));
}

std::string wilcoxon_text(const MethodComparison& comparison) {
  const Finding finding = comparison.over_data_sets();
  if (!finding.why.empty()) return "Wilcoxon's test over the data sets cannot decide. " + finding.why + ".";
  if (finding.decision == Decision::same) return "They are the same on every data set.";
  return fmt::format("Over the data sets the difference is {} (Wilcoxon's signed-rank test, p = {}).",
                     finding.decided() ? "significant" : "not significant", show(finding.p, significant(2)));
}

/// Ranks the methods by the scores; sets the beginning of the sentence and the last row of the table.
void set_ranks(arma::mat scores, const std::string& what, double alpha, const std::vector<ComparedSide>& sides,
               MethodRanks& found) {
  found.ranks = mean_ranks(std::move(scores), alpha);
  const arma::rowvec& ranks = found.ranks.friedman.ranks;
  std::vector<std::string> first, others;
  for (const std::size_t i : order_of(ranks)) {
    const bool is_first = equal_but_for_rounding(ranks(i), ranks.min());
    (is_first ? first : others).push_back(found.methods[i] + (is_first ? "" : " " + shown_rank(ranks(i))));
  }
  found.sentence =
      fmt::format("Over {} {} {} the best mean rank in {}, {}{}{}. ", counted(found.ranks.scores.n_rows, "data set"),
                  enumerated(first), first.size() > 1 ? "share" : "has", what, shown_rank(ranks.min()),
                  others.empty() ? "" : "; then ", fmt::join(others, ", "));
  std::vector<Cell> cells = {text_cell("mean rank")};
  for (std::size_t j = 0; j < sides.size(); ++j)
    cells.insert(cells.end(), sides[j].methods.size(), number_cell(ranks(j), fixed_point(2)));
  cells.insert(cells.begin() + 1, found.scores.columns.size() - cells.size(), text_cell("-"));
  found.scores.rows.push_back(std::move(cells));
}

/// Returns a table with one row per method, the best first.
Table methods_table(const MethodRanks& found, double alpha) {
  const auto& [scores, friedman, critical_difference] = found.ranks;
  Table table{"ranks",
              fmt::format("Mean ranks over {} (1 is best)", counted(scores.n_rows, "data set")),
              {{"method", "method"},
               {"mean_rank", "mean rank", Worth::result},
               {"best_on", "best on", Worth::detail},
               {"apart_from", "apart from", Worth::result}}};
  const arma::vec best = arma::min(scores, 1);
  for (const std::size_t i : order_of(friedman.ranks)) {
    std::vector<std::string> apart;
    for (const std::size_t j : order_of(friedman.ranks)) {
      if (found.ranks.apart(i, j)) apart.push_back(found.methods[j]);
    }
    table.rows.push_back({text_cell(found.methods[i]), number_cell(friedman.ranks(i), fixed_point(2)),
                          number_cell(static_cast<double>(arma::accu(scores.col(i) == best))),
                          text_cell(apart.empty() ? "-" : fmt::format("{}", fmt::join(apart, ", ")))});
  }
  table.remarks = {fmt::format("Friedman's test: chi2 = {}, F (Iman and Davenport) = {}, p = {} ({}).",
                               show(friedman.chi2, significant(3)), show(friedman.F, significant(3)),
                               show(friedman.p, significant(2)), friedman.exact ? "exact" : "by F"),
                   fmt::format("Two methods are apart if their mean ranks differ by {} or more (Nemenyi's test at {}).",
                               shown_rank(critical_difference), shown_level(alpha))};
  return table;
}

}  // namespace

MeanRanks mean_ranks(arma::mat scores, double alpha) {
  expects(!scores.empty(), "mean_ranks: a data set");
  const double difference = nemenyi_difference(scores.n_cols, scores.n_rows, alpha);
  FriedmanResult friedman = friedman_test(scores);
  return {std::move(scores), std::move(friedman), difference};
}

std::string enumerated(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names[0];
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

Cell score_cell(const RecordRow& row, const Quantity& metric, bool best, Table& table) {
  Cell cell = summary_cell(row, metric.name, metric.display);
  cell.best = best && cell.value;
  cell.note = footnote(table, failure_text(row));
  return cell;
}

void remark_on_settings(const std::vector<ComparedSide>& sides, Table& table) {
  const auto is_best_of_some = [](const ComparedSide& side) {
    return std::ranges::any_of(side.methods, [](const ComparedMethod& method) {
      return std::ranges::any_of(method.settings, [](const MethodSetting& setting) { return setting.count != 1; });
    });
  };
  if (std::ranges::any_of(sides, is_best_of_some))
    add_remark(table,
               "Where a method has several settings, the one that is best on the test part stands here: the numbers "
               "and the tests are optimistic.");
}

std::vector<std::size_t> order_of(const arma::rowvec& ranks) {
  const arma::uvec order = arma::stable_sort_index(ranks.t());
  return {order.begin(), order.end()};
}

std::vector<std::vector<std::size_t>> level_groups(const arma::rowvec& ranks, double critical_difference) {
  const std::vector<std::size_t> order = order_of(ranks);
  std::vector<std::vector<std::size_t>> groups;
  std::size_t reached = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < order.size() && ranks(order[last + 1]) - ranks(order[i]) < critical_difference) ++last;
    if (last <= std::max(i, reached)) continue;
    groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(i),
                        order.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    reached = last;
  }
  return groups;
}

MethodRanks ranks_in_summary(const MethodComparison& comparison) {
  MethodRanks found = scores_of({&comparison, 1});
  const arma::mat scores = comparison.scores();
  if (!different_contents({&comparison, 1}) || scores.n_rows < 2) {
    found.sentence = scores.n_rows < 2
                         ? "There are no mean ranks: fewer than two data sets have a number of every method."
                         : "There are no mean ranks, because the data sets have the same content.";
    return found;
  }
  set_ranks(scores, comparison.metrics[0].label, comparison.alpha, comparison.sides, found);
  found.sentence += found.methods.size() > 2 ? friedman_text(found, comparison.alpha) : wilcoxon_text(comparison);
  if (const std::vector<std::string> without = incomplete(comparison); !without.empty())
    found.sentence += fmt::format(" Without {}, where not every method has a number.", fmt::join(without, ", "));
  return found;
}

MethodRanks rank_methods(std::vector<MethodComparison> comparisons, int digits, double alpha) {
  if (comparisons.empty()) throw ConfigError("--ranks", "every trial lacks the metric that methods are ranked by");
  const auto names_of = [](const MethodComparison& comparison) {
    std::vector<std::string> names;
    for (const ComparedSide& side : comparison.sides) names.push_back(side.name);
    return names;
  };
  const std::vector<std::string> methods = names_of(comparisons[0]);
  arma::mat scores(0, methods.size());
  std::vector<std::string> metrics;
  for (MethodComparison& comparison : comparisons) {
    const std::vector<std::string> names = names_of(comparison);
    if (!std::ranges::is_permutation(names, methods))
      throw ConfigError(
          "--ranks",
          fmt::format("{} has the methods {}, but {} has {}; use --where or --by FIELD=VALUE,... to name methods that "
                      "every data set has",
                      comparisons[0].rows[0][0]->dataset, enumerated(methods), comparison.rows[0][0]->dataset,
                      enumerated(names)));
    std::vector<std::size_t> order;
    for (const std::string& name : methods)
      order.push_back(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
    put_in_order(order, comparison);
    if (const std::vector<std::string> without = incomplete(comparison); !without.empty())
      throw ConfigError("--ranks", "some methods have no number on " + enumerated(without) +
                                       "; use --where to leave out methods or data sets");
    add_missing(metrics, {comparison.metrics[0].label});
    arma::mat some = comparison.scores();
    if (digits > 0) some.transform([&](double score) { return std::stod(fmt::format("{:.{}e}", score, digits - 1)); });
    scores = arma::join_cols(scores, some);
  }
  if (methods.size() < 2 || scores.n_rows < 2 || !different_contents(comparisons))
    throw ConfigError("--ranks", "expected two or more methods on two or more different data sets");
  MethodRanks found = scores_of(comparisons);
  set_ranks(std::move(scores), enumerated(metrics), alpha, comparisons[0].sides, found);
  found.sentence += friedman_text(found, alpha);
  found.table = methods_table(found, alpha);
  for (const MethodComparison& comparison : comparisons) remark_on_settings(comparison.sides, found.table);
  return found;
}

MethodRanks rank_runs(const std::vector<Frame>& runs, const RankOptions& options) {
  RecordOrder order;
  std::vector<RecordRow> rows;
  for (const Frame& frame : runs) {
    add_missing(order.cases, frame.run().order.cases);
    add_missing(order.algorithms, frame.run().order.algorithms);
    rows.insert(rows.end(), frame.rows().begin(), frame.rows().end());
  }
  const Dimensions fields(rows, order);
  Predicate where = options.where;
  const Dimension* by = options.by ? &field_of_sides(options.by->field, fields) : nullptr;
  if (options.by && !options.by->values.empty()) where.push_back(*options.by);
  rows = BoundPredicate(where, fields, rows).selected(rows, true);
  std::vector<std::string> metrics;
  for (const Quantity& metric : find_quantities(options.metrics, quantities_in(rows))) {
    if (!metric.better)
      throw ConfigError("--metric", metric.name + " cannot be ranked, because neither low nor high values are better");
    metrics.push_back(metric.name);
  }
  if (metrics.empty()) metrics = {"test_acc", "test_rmse"};
  return rank_methods(methods_of(rows, by, metrics), options.digits, options.alpha);
}

}  // namespace elmx
