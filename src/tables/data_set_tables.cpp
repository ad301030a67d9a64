#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "tables/method_comparison.hpp"

namespace elmx {
namespace {

/// A number of data sets, and which of those of the sides it leaves out.
Cell count_cell(const MethodComparison& comparison, const std::vector<std::size_t>& sides, const std::string& metric,
                std::size_t count, Table& table) {
  std::set<std::string> without;
  for (const MatchedRows& matched : comparison.rows) {
    if (std::ranges::all_of(sides, [&](std::size_t side) { return matched[side] != nullptr; }))
      without.insert(matched[sides[0]]->dataset);
  }
  for (const auto& [name, means] : comparison.means(sides, metric)) without.erase(name);
  Cell cell = number_cell(static_cast<double>(count));
  if (!without.empty())
    cell.note = footnote(table, fmt::format("without {}: {} is not available there", fmt::join(without, ", "), metric));
  return cell;
}

/// Wins, ties, losses and open questions of B: what the single rows say.
std::array<double, 4> score_of(const MethodComparison& comparison, const PairOfSides& pair, const Quantity& metric) {
  std::array<double, 4> score = {};
  for (const MatchedRows& matched : comparison.rows) {
    const RecordRow *a = matched[pair.sides[0]], *b = matched[pair.sides[1]];
    if (a == nullptr || b == nullptr) continue;
    const Finding finding = comparison.difference(*a, *b, metric.name, comparison.alpha).finding;
    if (finding.decision == Decision::not_available) continue;
    const bool wins = (finding.decision == Decision::lower) == (*metric.better == Better::lower);
    ++score[finding.decided() ? (wins ? 0 : 2) : finding.decision == Decision::cannot_decide ? 3 : 1];
  }
  return score;
}

void append_pair(const MethodComparison& comparison, const Quantity& metric, const PairOfSides& pair, Table& table) {
  std::vector<Cell> cells = {text_cell(metric.name), text_cell(comparison.sides[pair.sides[1]].name),
                             text_cell(comparison.sides[pair.sides[0]].name),
                             count_cell(comparison, pair.sides, metric.name, pair.gains.size(), table)};
  for (const int sign : {1, 0, -1})
    cells.push_back(number_cell(static_cast<double>(
        std::ranges::count_if(pair.gains, [&](double gain) { return (gain > 0) - (gain < 0) == sign; }))));
  for (const double rows : score_of(comparison, pair, metric)) cells.push_back(number_cell(rows));
  cells.push_back(number_cell(pair.finding.p, significant(2)));
  cells.push_back(number_cell(sign_test(pair.gains).p, significant(2)));
  const Decision decision = pair.finding.decision;
  cells.push_back(finding_cell(pair.finding,
                               decision == Decision::higher  ? "better"
                               : decision == Decision::lower ? "worse"
                                                             : to_string(decision),
                               table));
  table.rows.push_back(std::move(cells));
}

Table pairs_table(const MethodComparison& comparison) {
  const bool several = comparison.sides.size() > 2;
  Table table{"compare_data_sets", "Over the data sets: B against A", {}, {}, {}, {}};
  table.columns = {{"metric", "metric"},
                   {"b", "B"},
                   {"a", "A"},
                   {"data_sets", "data sets", Worth::rest},
                   {"better", "B better", Worth::detail},
                   {"equal", "equal", Worth::rest},
                   {"worse", "worse", Worth::detail},
                   {"wins", "wins", Worth::rest},
                   {"ties", "ties", Worth::rest},
                   {"losses", "losses", Worth::rest},
                   {"open", "undecided", Worth::rest},
                   {"p", several ? "p (Wilcoxon, Holm)" : "p (Wilcoxon)", Worth::result},
                   {"p_sign", "p (signs)", Worth::rest},
                   {"b_is", "B is", Worth::result}};
  for (const Quantity& metric : comparison.metrics) {
    for (const PairOfSides& pair : comparison.pairs(metric)) {
      if (!pair.gains.empty()) append_pair(comparison, metric, pair, table);
    }
  }
  table.remarks = {
      "B better, equal, worse: means of the data sets. Wins, ties, losses, undecided: the single comparisons at " +
      shown_level(comparison.alpha) + "."};
  return table;
}

void append_ranks(const MethodComparison& comparison, const Quantity& metric, Table& table) {
  arma::mat scores = comparison.scores(metric);
  if (scores.empty()) return;
  const MeanRanks ranks = mean_ranks(std::move(scores), comparison.alpha);
  const FriedmanResult& result = ranks.friedman;
  std::vector<Cell> cells = {text_cell(metric.name),
                             count_cell(comparison, comparison.all_sides(), metric.name, ranks.scores.n_rows, table)};
  for (const double rank : result.ranks) cells.push_back(number_cell(rank, fixed_point(3)));
  cells.push_back(number_cell(result.chi2, significant(3)));
  cells.push_back(number_cell(result.F, significant(3)));
  cells.push_back(number_cell(result.p, significant(2)));
  if (!result.exact)
    cells.back().note = footnote(table, "by the F distribution (Iman and Davenport); the others are exact");
  cells.push_back(number_cell(ranks.critical_difference, significant(3)));
  const std::string why = ranks.why_undecided(comparison.alpha);
  cells.push_back(text_cell(!why.empty()                   ? "cannot decide"
                            : result.p <= comparison.alpha ? "different"
                                                           : "not significant"));
  if (!why.empty()) cells.back().note = footnote(table, why);
  table.rows.push_back(std::move(cells));
}

Table ranks_table(const MethodComparison& comparison) {
  Table table{"compare_ranks",
              "Mean ranks over the data sets (1 is best), Friedman's test",
              {{"metric", "metric"}, {"data_sets", "data sets", Worth::rest}},
              {},
              {},
              {}};
  for (const ComparedSide& side : comparison.sides)
    table.columns.push_back({"rank_" + side.name, side.name, Worth::result});
  table.columns.insert(table.columns.end(), {{"chi2", "chi2", Worth::rest},
                                             {"F", "F", Worth::rest},
                                             {"p", "p", Worth::result},
                                             {"critical_difference", "critical difference", Worth::result},
                                             {"they_are", "they are", Worth::result}});
  for (const Quantity& metric : comparison.metrics) append_ranks(comparison, metric, table);
  table.remarks = {"Two of them differ at " + shown_level(comparison.alpha) +
                   " by Nemenyi's test where their mean ranks are the critical difference apart."};
  return table;
}

}  // namespace

std::vector<Table> data_set_tables(MethodComparison comparison) {
  // Choices have copies of the steps of other rows.
  const auto is_choice = [](const MatchedRows& matched) {
    return std::ranges::all_of(matched, [](const RecordRow* row) { return row == nullptr || !row->chosen.empty(); });
  };
  if (!std::ranges::all_of(comparison.rows, is_choice)) std::erase_if(comparison.rows, is_choice);
  std::set<std::string> data_sets;
  for (const MatchedRows& rows : comparison.rows) {
    for (const RecordRow* row : rows) {
      if (row != nullptr) data_sets.insert(row->dataset);
    }
  }
  if (data_sets.size() < 2) return {};
  std::erase_if(comparison.metrics, [](const Quantity& metric) { return !metric.better; });
  std::vector<Table> tables = {pairs_table(comparison)};
  if (comparison.sides.size() > 2) tables.push_back(ranks_table(comparison));
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace elmx
