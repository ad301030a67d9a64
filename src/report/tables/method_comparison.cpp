#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "report/tables/methods.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

/// Judges differences (the result of differences_of) by a test at the level alpha.
Finding finding_of(const std::vector<double>& differences, const PairedTest& test, double test_over_train,
                   double alpha) {
  if (differences.empty()) return {Decision::not_available, nan, ""};
  const auto differ = std::ranges::count_if(differences, [](double d) { return d != 0; });
  if (differ == 0) return {Decision::same, nan, ""};
  const TestResult result = test.run(differences, test_over_train);
  if (std::isnan(result.p) && differences.size() > 1)
    return {Decision::cannot_decide, nan,
            "The differences are all alike: " + std::string(test.doc) + " has no spread to judge them by"};
  if (result.smallest_p > alpha)
    return {Decision::cannot_decide, result.p,
            fmt::format("Of {} other than 0 the least p that {} can give is {}; p <= {} needs at least {} of them",
                        counted(static_cast<std::size_t>(differ), "difference"), test.doc,
                        show(result.smallest_p, significant(3)), shown_level(alpha), test.pairs_needed(alpha))};
  if (result.p > alpha || result.sign == 0) return {Decision::not_significant, result.p, ""};
  return {result.sign < 0 ? Decision::lower : Decision::higher, result.p, ""};
}

/// Returns a number of data sets, with a footnote on the data sets of the sides that are not counted.
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

/// Returns the wins, ties, losses and undecided rows of B over the single rows.
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
  const auto& [sides, gains, finding] = pair;
  std::vector<Cell> cells = {text_cell(metric.name), text_cell(comparison.sides[sides[1]].name),
                             text_cell(comparison.sides[sides[0]].name),
                             count_cell(comparison, sides, metric.name, gains.size(), table)};
  for (const int sign : {1, 0, -1})
    cells.push_back(number_cell(static_cast<double>(
        std::ranges::count_if(gains, [&](double gain) { return (gain > 0) - (gain < 0) == sign; }))));
  for (const double rows : score_of(comparison, pair, metric)) cells.push_back(number_cell(rows));
  for (const double p : {finding.p, sign_test(gains).p}) cells.push_back(number_cell(p, significant(2)));
  cells.push_back(finding_cell(finding, table, Better::higher));
  table.rows.push_back(std::move(cells));
}

Table pairs_table(const MethodComparison& comparison) {
  const std::string p = comparison.sides.size() > 2 ? "p (Wilcoxon, Holm)" : "p (Wilcoxon)";
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
                   {"p", p, Worth::result},
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
  Cell p = number_cell(result.p, significant(2));
  if (!result.exact) p.note = footnote(table, "by the F distribution (Iman and Davenport); the others are exact");
  const std::string why = ranks.why_undecided(comparison.alpha);
  Cell verdict = text_cell(!why.empty()                   ? "cannot decide"
                           : result.p <= comparison.alpha ? "different"
                                                          : "not significant");
  if (!why.empty()) verdict.note = footnote(table, why);
  cells.insert(cells.end(), {number_cell(result.chi2, significant(3)), number_cell(result.F, significant(3)), p,
                             number_cell(ranks.critical_difference, significant(3)), verdict});
  table.rows.push_back(std::move(cells));
}

Table ranks_table(const MethodComparison& comparison) {
  Table table{"compare_ranks", "Mean ranks over the data sets (1 is best), Friedman's test", {}, {}, {}, {}};
  table.columns = {{"metric", "metric"}, {"data_sets", "data sets", Worth::rest}};
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

Cell finding_cell(const Finding& finding, Table& table, std::optional<Better> better) {
  constexpr std::array kTexts{"NA", "same", "lower", "higher", "not significant", "cannot decide"};
  Cell cell = text_cell(kTexts[static_cast<std::size_t>(finding.decision)]);
  if (better && finding.decided())
    cell.text = (finding.decision == Decision::lower) == (better == Better::lower) ? "better" : "worse";
  if (!finding.why.empty()) cell.note = footnote(table, finding.why);
  return cell;
}

std::string shown_level(double alpha) { return show(std::round(1e6 * alpha) / 1e6); }

std::vector<Finding> findings_by_holm(std::size_t count, double alpha, const FindingAtLevel& finding) {
  std::vector<Finding> findings, strict;
  std::vector<double> p;
  for (std::size_t i = 0; i < count; ++i) {
    findings.push_back(finding(i, alpha));
    p.push_back(findings.back().p);
  }
  const auto tested = std::ranges::count_if(p, [](double value) { return !std::isnan(value); });
  // Holm's first step uses alpha / tested; if no p can be that small, none can be significant.
  for (std::size_t i = 0; i < count && tested > 1; ++i)
    strict.push_back(finding(i, alpha / static_cast<double>(tested)));
  const auto is_open = [](const Finding& one) { return !one.decided() && one.decision != Decision::not_significant; };
  if (!strict.empty() && std::ranges::all_of(strict, is_open)) findings = strict;
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < count; ++i) {
    findings[i].p = adjusted[i];
    if (findings[i].decided() && adjusted[i] > alpha) findings[i].decision = Decision::not_significant;
  }
  return findings;
}

std::optional<double> known_ratio(const RunDescription& run, const RecordRow& row) {
  try {
    return test_over_train(run, row);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

void use_fitting_test(const RunDescription& run, const RecordRow& row, MethodComparison& comparison) {
  const std::optional<double> ratio = known_ratio(run, row);
  comparison.test = ratio ? &find_paired_test("corrected_t") : &paired_tests().front();
  comparison.test_over_train = [ratio](const RecordRow&) { return ratio.value_or(0); };
}

Summary widened(Summary summary, double test_over_train) {
  summary.sd *= std::sqrt(1 + static_cast<double>(summary.n) * test_over_train);
  return summary;
}

PairedDifference MethodComparison::difference(const RecordRow& a, const RecordRow& b, const std::string& metric,
                                              double level) const {
  const auto values = matched_values({&a, &b}, metric);
  std::vector<double> plain;
  for (std::size_t i = 0; i < values[0].size(); ++i) plain.push_back(values[1][i] - values[0][i]);
  const double ratio = test->needs_split && !plain.empty() ? test_over_train(a) : 0;
  const Summary all = summary_of(plain);
  const std::vector<double> differences = differences_of(values[0], values[1]);
  const bool alike = !differences.empty() && differences.front() != 0 &&
                     std::ranges::count(differences, differences.front()) == std::ssize(differences);
  return {summary_of(values[0]), summary_of(values[1]), all,
          alike ? std::nullopt : interval_of_mean(widened(all, ratio), alpha),
          finding_of(differences, *test, ratio, level)};
}

MethodComparison::Means MethodComparison::means(const std::vector<std::size_t>& some, const std::string& metric) const {
  std::map<std::string, std::vector<std::vector<double>>> values;
  for (const MatchedRows& matched : rows) {
    MatchedRows picked;
    for (const std::size_t side : some) picked.push_back(matched[side]);
    const auto of_row = matched_values(picked, metric);
    if (of_row[0].empty()) continue;
    auto& of_set = values.try_emplace(picked[0]->dataset, some.size()).first->second;
    for (std::size_t i = 0; i < some.size(); ++i) of_set[i].insert(of_set[i].end(), of_row[i].begin(), of_row[i].end());
  }
  Means means;
  for (const auto& [name, of_sides] : values) {
    for (const std::vector<double>& of_side : of_sides) means[name].push_back(summary_of(of_side).mean);
  }
  return means;
}

std::vector<PairOfSides> MethodComparison::pairs(const Quantity& metric) const {
  std::vector<PairOfSides> pairs;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    for (std::size_t b = a + 1; b < sides.size(); ++b) {
      std::vector<double> of_a, of_b;
      for (const auto& [name, both] : means({a, b}, metric.name)) {
        of_a.push_back(both[0]);
        of_b.push_back(both[1]);
      }
      pairs.push_back(
          {{a, b}, *metric.better == Better::lower ? differences_of(of_b, of_a) : differences_of(of_a, of_b), {}});
    }
  }
  const std::vector<Finding> findings = findings_by_holm(pairs.size(), alpha, [&](std::size_t i, double level) {
    return finding_of(pairs[i].gains, find_paired_test("wilcoxon"), 0, level);
  });
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].finding = findings[i];
  return pairs;
}

arma::mat MethodComparison::scores(const Quantity& metric) const {
  const Means of_sets = means(all_sides(), metric.name);
  arma::mat scores(of_sets.size(), sides.size());
  arma::uword i = 0;
  for (const auto& [name, of_sides] : of_sets)
    scores.row(i++) = (*metric.better == Better::lower ? 1 : -1) * arma::rowvec(tied_scores(of_sides));
  return scores;
}

std::vector<std::size_t> MethodComparison::all_sides() const {
  std::vector<std::size_t> all(sides.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<Table> data_set_tables(MethodComparison comparison) {
  // Choices copy the steps of other rows.
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
