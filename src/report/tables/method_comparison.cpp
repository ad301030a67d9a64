#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

std::vector<PairedDifference> by_holm(std::size_t count, double alpha, const DifferenceAtLevel& difference) {
  std::vector<PairedDifference> all, strict;
  std::vector<double> p;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(difference(i, alpha));
    p.push_back(all.back().finding.p);
  }
  const auto tested = std::ranges::count_if(p, [](double value) { return !std::isnan(value); });
  // Holm's first step uses alpha / tested; if no p can be that small, none can be significant.
  for (std::size_t i = 0; i < count && tested > 1; ++i)
    strict.push_back(difference(i, alpha / static_cast<double>(tested)));
  const auto is_open = [](const PairedDifference& one) {
    return !one.finding.decided() && one.finding.decision != Decision::not_significant;
  };
  if (!strict.empty() && std::ranges::all_of(strict, is_open)) all = strict;
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < count; ++i) {
    Finding& finding = all[i].finding;
    finding.p = adjusted[i];
    if (finding.decided() && adjusted[i] > alpha) finding.decision = Decision::not_significant;
  }
  return all;
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
  const Summary of_a = summary_of(values[0]), of_b = summary_of(values[1]);
  Summary all = summary_of(plain);
  if (equal_but_for_rounding(of_a.mean, of_b.mean)) all.mean = 0;
  const std::vector<double> differences = differences_of(values[0], values[1]);
  const bool alike = !differences.empty() && differences.front() != 0 &&
                     std::ranges::count(differences, differences.front()) == std::ssize(differences);
  return {of_a, of_b, all, alike ? std::nullopt : interval_of_mean(widened(all, ratio), alpha),
          finding_of(differences, *test, ratio, level)};
}

MethodComparison::Means MethodComparison::means() const {
  std::map<std::string, std::vector<std::vector<double>>> values;
  for (const MatchedRows& matched : rows) {
    const auto of_row = matched_values(matched, metrics[0].name);
    if (of_row[0].empty()) continue;
    auto& of_set = values.try_emplace(matched[0]->dataset, sides.size()).first->second;
    for (std::size_t i = 0; i < sides.size(); ++i)
      of_set[i].insert(of_set[i].end(), of_row[i].begin(), of_row[i].end());
  }
  Means means;
  for (const auto& [name, of_sides] : values) {
    for (const std::vector<double>& of_side : of_sides) means[name].push_back(summary_of(of_side).mean);
  }
  return means;
}

Finding MethodComparison::over_data_sets() const {
  std::vector<double> a, b;
  for (const auto& [name, both] : means()) {
    a.push_back(both[0]);
    b.push_back(both[1]);
  }
  return finding_of(differences_of(a, b), find_paired_test("wilcoxon"), 0, alpha);
}

arma::mat MethodComparison::scores() const {
  const Means of_sets = means();
  arma::mat scores(of_sets.size(), sides.size());
  arma::uword i = 0;
  for (const auto& [name, of_sides] : of_sets)
    scores.row(i++) = (*metrics[0].better == Better::lower ? 1 : -1) * arma::rowvec(tied_scores(of_sides));
  return scores;
}

}  // namespace elmx
