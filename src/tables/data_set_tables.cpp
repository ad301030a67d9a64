#include "tables/data_set_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/nan.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

/// Rows whose steps are no copies of those of other rows.
std::vector<MatchedRows> without_copies(std::vector<MatchedRows> rows) {
  const auto choice = [](const MatchedRows& matched) {
    return std::all_of(matched.begin(), matched.end(),
                       [](const RecordRow* row) { return row == nullptr || !row->chosen.empty(); });
  };
  if (!std::all_of(rows.begin(), rows.end(), choice)) std::erase_if(rows, choice);
  return rows;
}

MatchedRows picked(const MatchedRows& rows, const std::vector<std::size_t>& sides) {
  MatchedRows some;
  for (const std::size_t side : sides) some.push_back(rows[side]);
  return some;
}

/// Data set -> mean of each side over the trials that all of them have.
std::map<std::string, std::vector<double>> means_of(const std::vector<MatchedRows>& rows,
                                                    const std::vector<std::size_t>& sides, const std::string& metric) {
  std::map<std::string, std::vector<std::vector<double>>> values;
  for (const MatchedRows& matched : rows) {
    const MatchedRows some = picked(matched, sides);
    const auto of_row = matched_values(matched_steps(some), metric);
    if (of_row[0].empty()) continue;
    auto& of_set = values.try_emplace(some[0]->dataset, sides.size()).first->second;
    for (std::size_t i = 0; i < sides.size(); ++i)
      of_set[i].insert(of_set[i].end(), of_row[i].begin(), of_row[i].end());
  }
  std::map<std::string, std::vector<double>> means;
  for (const auto& [name, of_sides] : values) {
    for (const std::vector<double>& of_side : of_sides) means[name].push_back(summary_of(of_side).mean);
  }
  return means;
}

/// A number of data sets, and which of those of the sides it leaves out.
Cell count_cell(const Comparison& comparison, const std::vector<std::size_t>& sides, const std::string& metric,
                std::size_t count, Table& table) {
  std::set<std::string> without;
  for (const MatchedRows& matched : comparison.rows) {
    const MatchedRows some = picked(matched, sides);
    if (std::ranges::count(some, nullptr) == 0) without.insert(some[0]->dataset);
  }
  for (const auto& [name, means] : means_of(comparison.rows, sides, metric)) without.erase(name);
  Cell cell = number_cell(static_cast<double>(count));
  std::string names;
  for (const std::string& name : without) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) cell.note = footnote(table, "without " + names + ": " + metric + " is not available there");
  return cell;
}

/// Wins, ties, losses and open questions of B: what the single rows say.
struct Score {
  double wins = 0, ties = 0, losses = 0, open = 0;
};

Score score_of(const Comparison& comparison, const std::vector<std::size_t>& pair, const Quantity& metric) {
  Score score;
  for (const MatchedRows& matched : comparison.rows) {
    const MatchedRows rows = picked(matched, pair);
    const auto values = matched_values(matched_steps(rows), metric.name);
    if (values[0].empty()) continue;
    const Decision decision = comparison.finding(*rows[0], values[0], values[1]).decision;
    const bool lower = decision == Decision::lower;
    if (lower || decision == Decision::higher)
      ++(lower == (*metric.better == Better::lower) ? score.wins : score.losses);
    else
      ++(decision == Decision::cannot_decide ? score.open : score.ties);
  }
  return score;
}

std::string decision_text(Decision decision) {
  if (decision == Decision::higher) return "better";
  return decision == Decision::lower ? "worse" : to_string(decision);
}

void append_pair(const Comparison& comparison, const Quantity& metric, const PairOfSides& pair, Table& table) {
  const auto count = [&](int sign) {
    return number_cell(static_cast<double>(std::count_if(
        pair.gains.begin(), pair.gains.end(), [&](double gain) { return (gain > 0) - (gain < 0) == sign; })));
  };
  std::vector<Cell> cells = {text_cell(metric.name), text_cell(comparison.sides[pair.sides[1]].name),
                             text_cell(comparison.sides[pair.sides[0]].name),
                             count_cell(comparison, pair.sides, metric.name, pair.gains.size(), table)};
  for (const int sign : {1, 0, -1}) cells.push_back(count(sign));
  const Score score = score_of(comparison, pair.sides, metric);
  for (const double rows : {score.wins, score.ties, score.losses, score.open}) cells.push_back(number_cell(rows));
  cells.push_back(number_cell(pair.finding.p, significant(2)));
  cells.push_back(number_cell(sign_test(pair.gains).p, significant(2)));
  cells.push_back(text_cell(decision_text(pair.finding.decision)));
  if (!pair.finding.why.empty()) cells.back().note = footnote(table, pair.finding.why);
  table.rows.push_back(std::move(cells));
}

Table pairs_table(const Comparison& comparison, const std::vector<Quantity>& metrics) {
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
  for (const Quantity& metric : metrics) {
    for (const PairOfSides& pair : pairs_of_sides(comparison, metric)) {
      if (!pair.gains.empty()) append_pair(comparison, metric, pair, table);
    }
  }
  table.remarks = {
      "B better, equal, worse: means of the data sets. Wins, ties, losses, undecided: the single comparisons at " +
      shown_level(comparison.alpha) + "."};
  return table;
}

std::vector<std::size_t> all_sides(const Comparison& comparison) {
  std::vector<std::size_t> all(comparison.sides.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void append_ranks(const Comparison& comparison, const Quantity& metric, Table& table) {
  const RanksOfSides ranks = ranks_of_sides(comparison, metric);
  if (ranks.data_sets == 0) return;
  const std::size_t k = comparison.sides.size();
  const FriedmanResult& result = ranks.friedman;

  std::vector<Cell> cells = {text_cell(metric.name),
                             count_cell(comparison, all_sides(comparison), metric.name, ranks.data_sets, table)};
  for (const double rank : result.ranks) cells.push_back(number_cell(rank, fixed_point(3)));
  cells.push_back(number_cell(result.chi2, significant(3)));
  cells.push_back(number_cell(result.F, significant(3)));
  cells.push_back(number_cell(result.p, significant(2)));
  cells.push_back(number_cell(ranks.critical_difference, significant(3)));
  const bool decides = result.smallest_p <= comparison.alpha;
  cells.push_back(text_cell(!decides                       ? "cannot decide"
                            : result.p <= comparison.alpha ? "different"
                                                           : "not significant"));
  if (!decides) {
    cells.back().note =
        footnote(table, std::to_string(ranks.data_sets) + " data sets: the least p that Friedman's test of " +
                            std::to_string(k) + " can give is " + show(result.smallest_p, significant(3)) +
                            "; p <= " + shown_level(comparison.alpha) + " needs at least " +
                            std::to_string(data_sets_needed(k, comparison.alpha)));
  }
  if (!result.exact)
    cells[cells.size() - 3].note = footnote(table, "by the F distribution (Iman and Davenport); the others are exact");
  table.rows.push_back(std::move(cells));
}

Table ranks_table(const Comparison& comparison, const std::vector<Quantity>& metrics) {
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
  for (const Quantity& metric : metrics) append_ranks(comparison, metric, table);
  table.remarks = {"Two of them differ at " + shown_level(comparison.alpha) +
                   " by Nemenyi's test where their mean ranks are the critical difference apart."};
  return table;
}

}  // namespace

std::vector<PairOfSides> pairs_of_sides(const Comparison& comparison, const Quantity& metric) {
  const std::size_t k = comparison.sides.size();
  const double hypotheses = static_cast<double>(k * (k - 1)) / 2;
  std::vector<PairOfSides> pairs;
  std::vector<double> p;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = a + 1; b < k; ++b) {
      std::vector<double> of_a, of_b;
      for (const auto& [name, means] : means_of(comparison.rows, {a, b}, metric.name)) {
        of_a.push_back(means[0]);
        of_b.push_back(means[1]);
      }
      const std::vector<double> gains =
          *metric.better == Better::lower ? differences_of(of_b, of_a) : differences_of(of_a, of_b);
      const Finding finding = finding_of(gains, find_paired_test("wilcoxon"), 0, comparison.alpha / hypotheses);
      pairs.push_back({{a, b}, gains, finding});
      p.push_back(finding.p);
    }
  }
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Finding& finding = pairs[i].finding;
    finding.p = adjusted[i];
    if (finding.decision != Decision::not_significant || finding.p > comparison.alpha) continue;
    finding.decision =
        wilcoxon_test(pairs[i].gains).sign < 0 ? Decision::lower : Decision::higher;  // Holm's later steps
  }
  return pairs;
}

RanksOfSides ranks_of_sides(const Comparison& comparison, const Quantity& metric) {
  const std::size_t k = comparison.sides.size();
  const auto means = means_of(comparison.rows, all_sides(comparison), metric.name);
  if (means.empty()) return {};
  arma::mat scores(means.size(), k);
  arma::uword i = 0;
  for (const auto& [name, of_sides] : means)
    scores.row(i++) = (*metric.better == Better::lower ? 1 : -1) * arma::rowvec(tied_scores(of_sides));
  return {means.size(), friedman_test(scores), nemenyi_difference(k, means.size(), comparison.alpha)};
}

Finding Comparison::finding(const RecordRow& row, const std::vector<double>& a, const std::vector<double>& b) const {
  return finding_of(differences_of(a, b), *test, test->needs_split ? test_over_train(row) : 0, alpha);
}

std::vector<Table> data_set_tables(const Comparison& whole, const std::vector<Quantity>& metrics) {
  Comparison comparison{{}, without_copies(whole.rows), whole.test, whole.alpha, whole.test_over_train};
  std::set<std::string> data_sets;
  for (const ComparedSide& side : whole.sides) comparison.sides.push_back({side.name, {}});
  for (const MatchedRows& rows : comparison.rows) {
    for (const RecordRow* row : rows) {
      if (row != nullptr) data_sets.insert(row->dataset);
    }
  }
  std::vector<Quantity> judged = metrics;
  std::erase_if(judged, [](const Quantity& metric) { return !metric.better; });
  if (data_sets.size() < 2) return {};
  std::vector<Table> tables = {pairs_table(comparison, judged)};
  if (comparison.sides.size() > 2) tables.push_back(ranks_table(comparison, judged));
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace elmx
