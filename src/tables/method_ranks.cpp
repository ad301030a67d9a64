#include "tables/method_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "results/row_keys.hpp"
#include "statistics/ties.hpp"
#include "tables/methods_of_rows.hpp"

namespace elmx {
namespace {

std::string shown_rank(double rank) { return show(rank, fixed_point(2)); }

std::string capitalised(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// Whether the data sets, as far as their content is known, are different ones.
bool different_contents(std::span<const MethodComparison> comparisons) {
  std::set<std::string> contents;
  for (const MethodComparison& comparison : comparisons) {
    for (const MatchedRows& rows : comparison.rows) {
      const auto trained = std::ranges::find_if(rows, [](const RecordRow* row) { return !row->steps.empty(); });
      if (trained == rows.end()) continue;
      const Record& record = *(*trained)->steps[0].record;
      const auto& [data, train, test] = record.samples;
      if (!contents.insert(data.empty() ? record.dataset : data + test).second) return false;
    }
  }
  return true;
}

/// Data sets on which a method has no number.
std::vector<std::string> incomplete(const MethodComparison& comparison) {
  std::vector<std::string> names;
  for (const MatchedRows& rows : comparison.rows) {
    const auto lacks = [&](const RecordRow* row) { return summary_of(*row, comparison.metrics[0].name).n == 0; };
    if (std::ranges::any_of(rows, lacks)) names.push_back(rows[0]->dataset);
  }
  return names;
}

/// One row a data set: the scores of the sides, which are those of the first comparison.
Table score_table(std::span<const MethodComparison> comparisons) {
  const bool several = comparisons.size() > 1;
  Table table{"answer",
              several ? "Scores of each method" : capitalised(comparisons[0].metrics[0].label) + " of each method",
              {{"dataset", "dataset"}},
              {},
              {},
              {}};
  if (several) table.columns.push_back({"metric", "metric"});
  for (const ComparedSide& side : comparisons[0].sides) {
    for (const std::string& method : side.methods) table.columns.push_back({method, method});
  }
  for (const MethodComparison& comparison : comparisons) {
    const Quantity& metric = comparison.metrics[0];
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
      const Standing standing = standing_in(comparison, i);
      const auto end_of_best = standing.order.begin() + static_cast<std::ptrdiff_t>(standing.first);
      std::vector<Cell> cells = {text_cell(comparison.rows[i][0]->dataset)};
      if (several) cells.push_back(text_cell(metric.name));
      for (std::size_t j = 0; j < comparison.sides.size(); ++j) {
        const bool best = std::find(standing.order.begin(), end_of_best, j) != end_of_best;
        const RecordRow& row = *comparison.rows[i][j];
        const Cell cell = score_cell(row, metric, best && summary_of(row, metric.name).n > 0, table);
        cells.insert(cells.end(), comparison.sides[j].methods.size(), cell);
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

void append_mean_ranks(const std::vector<ComparedSide>& sides, const arma::rowvec& ranks, Table& table) {
  std::vector<Cell> cells = {text_cell("mean rank")};
  for (std::size_t j = 0; j < sides.size(); ++j)
    cells.insert(cells.end(), sides[j].methods.size(), number_cell(ranks(j), fixed_point(2)));
  cells.insert(cells.begin() + 1, table.columns.size() - cells.size(), text_cell("-"));
  table.rows.push_back(std::move(cells));
}

std::string friedman_text(const std::vector<std::string>& names, const MeanRanks& ranks, double alpha) {
  const std::size_t k = names.size();
  if (ranks.friedman.smallest_p > alpha)
    return fmt::format("Friedman's test cannot decide: {} methods need at least {} data sets for p <= {}.", k,
                       data_sets_needed(k, alpha), shown_level(alpha));
  const std::string p = "p = " + show(ranks.friedman.p, significant(2));
  if (ranks.friedman.p > alpha) return "Friedman's test finds no difference of the methods (" + p + ").";
  std::vector<std::string> apart;
  const std::vector<std::size_t> order = order_of(ranks.friedman.ranks);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) {
      if (ranks.friedman.ranks(order[j]) - ranks.friedman.ranks(order[i]) >= ranks.critical_difference)
        apart.push_back(fmt::format("\"{}\" and \"{}\"", names[order[i]], names[order[j]]));
    }
  }
  return fmt::format(
      "Friedman's test finds that the methods differ ({}); by Nemenyi's test, with a critical difference of {}, {}.", p,
      shown_rank(ranks.critical_difference),
      apart.empty() ? "no two of them do" : fmt::format("these do: {}", fmt::join(apart, ", ")));
}

std::string wilcoxon_text(const MethodComparison& comparison) {
  const Finding finding = comparison.pairs(comparison.metrics[0])[0].finding;
  if (!finding.why.empty()) return "Wilcoxon's test over the data sets cannot decide. " + finding.why + ".";
  if (finding.decision == Decision::same) return "They are the same on every data set.";
  return fmt::format("Over the data sets the difference is {} (Wilcoxon's signed-rank test, p = {}).",
                     finding.decision == Decision::not_significant ? "not significant" : "significant",
                     show(finding.p, significant(2)));
}

std::string ranks_text(const std::vector<std::string>& names, const MeanRanks& ranks, const std::string& what) {
  const arma::rowvec& mean = ranks.friedman.ranks;
  std::vector<std::string> first, others;
  const std::vector<std::size_t> order = order_of(mean);
  for (const std::size_t i : order) {
    if (equal_but_for_rounding(mean(i), mean(order[0])))
      first.push_back(names[i]);
    else
      others.push_back(names[i] + " " + shown_rank(mean(i)));
  }
  return fmt::format("Over {} {} {} the best mean rank in {}, {}{}{}.", counted(ranks.scores.n_rows, "data set"),
                     enumerated(first), first.size() > 1 ? "share" : "has", what, shown_rank(mean(order[0])),
                     others.empty() ? "" : "; then ", fmt::join(others, ", "));
}

std::vector<std::string> names_of_sides(const MethodComparison& comparison) {
  std::vector<std::string> names;
  for (const ComparedSide& side : comparison.sides) names.push_back(side.name);
  return names;
}

/// A row a method, from the best.
Table methods_table(const MethodRanks& found, double alpha) {
  const FriedmanResult& result = found.ranks.friedman;
  Table table{"ranks",
              fmt::format("Mean ranks over {} (1 is best)", counted(found.ranks.scores.n_rows, "data set")),
              {{"method", "method"},
               {"mean_rank", "mean rank", Worth::result},
               {"best_on", "best on", Worth::detail},
               {"apart_from", "apart from", Worth::result}},
              {},
              {},
              {}};
  for (const std::size_t i : order_of(result.ranks)) {
    double best_on = 0;
    for (arma::uword row = 0; row < found.ranks.scores.n_rows; ++row)
      best_on += found.ranks.scores(row, i) == found.ranks.scores.row(row).min();
    std::vector<std::string> apart;
    for (const std::size_t j : order_of(result.ranks)) {
      if (std::abs(result.ranks(i) - result.ranks(j)) >= found.ranks.critical_difference)
        apart.push_back(found.methods[j]);
    }
    table.rows.push_back({text_cell(found.methods[i]), number_cell(result.ranks(i), fixed_point(2)),
                          number_cell(best_on),
                          text_cell(apart.empty() ? "-" : fmt::format("{}", fmt::join(apart, ", ")))});
  }
  table.remarks.push_back(fmt::format("Friedman's test: chi2 = {}, F (Iman and Davenport) = {}, p = {} ({}).",
                                      show(result.chi2, significant(3)), show(result.F, significant(3)),
                                      show(result.p, significant(2)), result.exact ? "exact" : "by F"));
  table.remarks.push_back(fmt::format("Apart from: by Nemenyi's test at {}, mean ranks that differ by {} or more.",
                                      shown_level(alpha), shown_rank(found.ranks.critical_difference)));
  return table;
}

/// A row a pair of methods, from the best rank.
Table rank_pairs_table(const MethodRanks& found) {
  Table table{"ranks_pairs",
              "Pairs of methods over the data sets",
              {{"b", "B"},
               {"a", "A"},
               {"difference", "rank of B - A", Worth::result},
               {"better", "B better", Worth::detail},
               {"equal", "equal", Worth::rest},
               {"worse", "worse", Worth::detail},
               {"p_sign", "p (signs, Holm)", Worth::result},
               {"they_are", "by Nemenyi", Worth::result}},
              {},
              {},
              {}};
  const arma::mat& scores = found.ranks.scores;
  const arma::rowvec& ranks = found.ranks.friedman.ranks;
  const std::vector<std::size_t> order = order_of(ranks);
  std::vector<double> p;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const std::size_t a = order[i], b = order[j];
      const arma::vec gains = arma::sign(scores.col(a) - scores.col(b));
      const double difference = ranks(b) - ranks(a);
      table.rows.push_back(
          {text_cell(found.methods[b]), text_cell(found.methods[a]), number_cell(difference, fixed_point(2))});
      for (const double sign : {1.0, 0.0, -1.0})
        table.rows.back().push_back(number_cell(static_cast<double>(std::ranges::count(gains, sign))));
      p.push_back(sign_test({gains.begin(), gains.end()}).p);
      table.rows.back().push_back({});
      table.rows.back().push_back(
          text_cell(difference >= found.ranks.critical_difference ? "different" : "not told apart"));
    }
  }
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < adjusted.size(); ++i) table.rows[i][6] = number_cell(adjusted[i], significant(2));
  return table;
}

}  // namespace

std::string enumerated(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names[0];
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

Cell score_cell(const RecordRow& row, const Quantity& metric, bool best, Table& table) {
  const Summary summary = summary_of(row, metric.name);
  Cell cell = spread_cell(summary.mean, summary.sd, metric.display);
  cell.best = best && summary.n > 0;
  if (row.failed() > 0) cell.note = footnote(table, failure_text(row));
  return cell;
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
  const std::span<const MethodComparison> alone(&comparison, 1);
  MethodRanks found{"", score_table(alone)};
  const Quantity& metric = comparison.metrics[0];
  const arma::mat scores = comparison.scores(metric);
  if (!different_contents(alone)) {
    found.sentence = "Mean ranks over the data sets have no meaning here: they are not several different ones.";
  } else if (scores.n_rows < 2) {
    found.sentence = "There are no mean ranks: fewer than two data sets have a number of every method.";
  } else {
    const MeanRanks ranks = mean_ranks(scores, comparison.alpha);
    const std::vector<std::string> names = names_of_sides(comparison), without = incomplete(comparison);
    found.sentence =
        ranks_text(names, ranks, metric.label) + " " +
        (names.size() > 2 ? friedman_text(names, ranks, comparison.alpha) : wilcoxon_text(comparison)) +
        (without.empty() ? ""
                         : fmt::format(" Without {}, where not every method has a number.", fmt::join(without, ", ")));
    append_mean_ranks(comparison.sides, ranks.friedman.ranks, found.scores);
  }
  return found;
}

MethodRanks rank_methods(std::vector<MethodComparison> comparisons, int digits, double alpha) {
  if (comparisons.empty()) throw ConfigError("--ranks: no trial has a score");
  const MethodComparison& first = comparisons[0];
  const std::vector<std::string> methods = names_of_sides(first);
  arma::mat scores(0, methods.size());
  std::vector<std::string> metrics;
  for (MethodComparison& comparison : comparisons) {
    const std::vector<std::string> names = names_of_sides(comparison);
    if (!std::ranges::is_permutation(names, methods))
      throw ConfigError(fmt::format(
          "--ranks: {} has the methods {}, {} has {}; use --where or --by FIELD=VALUE,... to "
          "name methods that every data set has",
          first.rows[0][0]->dataset, enumerated(methods), comparison.rows[0][0]->dataset, enumerated(names)));
    std::vector<std::size_t> order;
    for (const std::string& name : methods)
      order.push_back(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
    put_in_order(order, comparison);
    if (const std::vector<std::string> without = incomplete(comparison); !without.empty())
      throw ConfigError(
          fmt::format("--ranks: not every method has a number on {}; use --where to leave out methods or "
                      "data sets",
                      enumerated(without)));
    add_missing(metrics, {comparison.metrics[0].label});
    arma::mat some = comparison.scores(comparison.metrics[0]);
    if (digits > 0) some.transform([&](double score) { return std::stod(fmt::format("{:.{}e}", score, digits - 1)); });
    scores = arma::join_cols(scores, some);
  }
  if (methods.size() < 2 || scores.n_rows < 2 || !different_contents(comparisons))
    throw ConfigError("--ranks: expected two or more methods on two or more different data sets");
  MethodRanks found{"", score_table(comparisons), {}, methods, mean_ranks(std::move(scores), alpha)};
  found.sentence =
      ranks_text(methods, found.ranks, enumerated(metrics)) + " " + friedman_text(methods, found.ranks, alpha);
  append_mean_ranks(first.sides, found.ranks.friedman.ranks, found.scores);
  found.tables = {methods_table(found, alpha), rank_pairs_table(found)};
  return found;
}

}  // namespace elmx
