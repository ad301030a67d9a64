#include "tables/method_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/nan.hpp"
#include "base/printable.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

/// differences: as differences_of has them.
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

}  // namespace

const char* to_string(Decision decision) {
  constexpr const char* texts[] = {"NA", "same", "lower", "higher", "not significant", "cannot decide"};
  return texts[static_cast<std::size_t>(decision)];
}

Cell finding_cell(const Finding& finding, const std::string& text, Table& table) {
  Cell cell = text_cell(text);
  if (!finding.why.empty()) cell.note = footnote(table, finding.why);
  return cell;
}

std::string shown_level(double alpha) { return show(std::round(1e6 * alpha) / 1e6); }

std::vector<Finding> findings_by_holm(std::size_t count, double alpha,
                                      const std::function<Finding(std::size_t, double level)>& finding) {
  std::vector<Finding> findings, strict;
  std::vector<double> p;
  for (std::size_t i = 0; i < count; ++i) {
    findings.push_back(finding(i, alpha));
    p.push_back(findings.back().p);
  }
  const auto tested = std::ranges::count_if(p, [](double value) { return !std::isnan(value); });
  // Holm's first step takes alpha / tested: where no comparison can have so small a p, none can be significant.
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

std::string MeanRanks::why_undecided(double alpha) const {
  if (friedman.smallest_p <= alpha) return "";
  return fmt::format("{} methods need at least {} data sets for p <= {}", scores.n_cols,
                     data_sets_needed(scores.n_cols, alpha), shown_level(alpha));
}

MeanRanks mean_ranks(arma::mat scores, double alpha) {
  expects(!scores.empty(), "mean_ranks: a data set");
  const double difference = nemenyi_difference(scores.n_cols, scores.n_rows, alpha);
  FriedmanResult friedman = friedman_test(scores);
  return {std::move(scores), std::move(friedman), difference};
}

PairedDifference MethodComparison::difference(const RecordRow& a, const RecordRow& b, const std::string& metric,
                                              double level) const {
  const auto values = matched_values(matched_steps({&a, &b}), metric);
  std::vector<double> plain;
  for (std::size_t i = 0; i < values[0].size(); ++i) plain.push_back(values[1][i] - values[0][i]);
  const double ratio = test->needs_split && !plain.empty() ? test_over_train(a) : 0;
  const Summary all = summary_of(plain);
  Summary widened = all;  // as t_test sees it
  widened.sd *= std::sqrt(1 + static_cast<double>(all.n) * ratio);
  const std::vector<double> differences = differences_of(values[0], values[1]);
  const bool alike = !differences.empty() && differences.front() != 0 &&
                     std::ranges::count(differences, differences.front()) == std::ssize(differences);
  return {summary_of(values[0]), summary_of(values[1]), all, alike ? std::nullopt : interval_of_mean(widened, alpha),
          finding_of(differences, *test, ratio, level)};
}

std::map<std::string, std::vector<double>> MethodComparison::means(const std::vector<std::size_t>& some,
                                                                   const std::string& metric) const {
  std::map<std::string, std::vector<std::vector<double>>> values;
  for (const MatchedRows& matched : rows) {
    MatchedRows picked;
    for (const std::size_t side : some) picked.push_back(matched[side]);
    const auto of_row = matched_values(matched_steps(picked), metric);
    if (of_row[0].empty()) continue;
    auto& of_set = values.try_emplace(picked[0]->dataset, some.size()).first->second;
    for (std::size_t i = 0; i < some.size(); ++i) of_set[i].insert(of_set[i].end(), of_row[i].begin(), of_row[i].end());
  }
  std::map<std::string, std::vector<double>> means;
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
  const auto of_sets = means(all_sides(), metric.name);
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

}  // namespace elmx
