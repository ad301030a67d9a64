#include "published/pair_tests.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/hypothesis_tests.hpp"

namespace elmx {
namespace {

/// Two runs without folds do not decide an order: with one degree of freedom the result would depend on
/// whether their differences happen to be similar.
constexpr double kLeastFreedom = 2;

}  // namespace

bool has_number(const PaperCell& cell) { return cell.measured.value.has_value(); }

double tie_threshold(const PaperCell& a, const PaperCell& b, double ties) {
  if (!has_number(a) || !has_number(b)) return ties;
  if (differ_by_a_ratio(a.measured, b.measured)) return -std::log1p(-ties);
  const double largest = larger_of(a.measured, b.measured);
  return std::isinf(largest) ? 0 : ties * largest;
}

void PairTests::add_ties(std::size_t a, std::size_t b, double ties) {
  for (const double sign : {1, -1}) add(ties_, a, b, sign * ties);
}

void PairTests::decide() {
  std::map<std::string, std::vector<Test>> orders, ties;
  for (auto& [key, claim] : orders_.claims) orders[cells_[std::get<0>(key)].table].push_back({&claim});
  for (auto& [key, claim] : ties_.claims) {
    const auto& [a, b, threshold] = key;
    if (a < b && threshold < 0) ties[cells_[a].table].push_back({&claim, &ties_.claims.at({b, a, threshold})});
  }
  for (const auto& [table, tests] : orders) orders_.levels[table] = decide(tests);
  for (const auto& [table, tests] : ties) ties_.levels[table] = decide(tests);
}

Judgement PairTests::is_above(std::size_t above, std::size_t below, double threshold) const {
  const Claim &claim = orders_.claims.at({above, below, threshold}),
              &opposite = orders_.claims.at({below, above, -threshold});
  if (claim.certain) return {Verdict::agrees};
  if (opposite.certain) return {Verdict::disagrees};
  if (!claim.margin)  // no run has both
    return open_judgement(*cells_[above].measured.value > *cells_[below].measured.value, MoreRuns{1, true});
  return open_judgement(claim.margin->value > 0, more_runs(*claim.margin, orders_.levels.at(cells_[above].table)));
}

Judgement PairTests::is_above_or_level(std::size_t above, std::size_t below, double ties) const {
  Judgement order = is_above(above, below, 0);
  if (!is_open(order.verdict)) return order;
  const Claim &one = ties_.claims.at({above, below, -ties}), &two = ties_.claims.at({below, above, -ties});
  if (one.certain && two.certain) return {Verdict::level};
  if (one.margin && one.margin->value > 0 && two.margin->value > 0) {
    const double level = ties_.levels.at(cells_[above].table);
    order.more = sooner(order.more, later(more_runs(*one.margin, level), more_runs(*two.margin, level)));
  }
  return order;
}

Judgement PairTests::is_level(std::size_t a, std::size_t b, double ties) const {
  const Judgement lower = is_above(b, a, -ties), upper = is_above(a, b, -ties);
  return together({lower, upper});
}

Judgement PairTests::is_lower(std::size_t cell, std::size_t other, double ties) const {
  const Judgement lower = is_above(other, cell, ties), not_higher = is_above(other, cell, -ties);
  const bool is_not_lower = lower.verdict == Verdict::disagrees, is_not_higher = not_higher.verdict == Verdict::agrees;
  if (lower.verdict == Verdict::agrees) return lower;
  if (not_higher.verdict == Verdict::disagrees) return not_higher;
  if (is_not_lower && is_not_higher) return {Verdict::level};
  if (lower.verdict == Verdict::consistent) return lower;
  if (not_higher.verdict == Verdict::contrary) return not_higher;
  const double difference = orders_.claims.at({other, cell, ties}).margin->value + ties;
  return {difference > 0 ? Verdict::consistent : Verdict::contrary,
          later(is_not_lower ? MoreRuns{} : lower.more, is_not_higher ? MoreRuns{} : not_higher.more)};
}

/// Adds the claim and its opposite, once per pair of cells.
void PairTests::add(Family& family, std::size_t a, std::size_t b, double threshold) {
  if (a > b) return add(family, b, a, -threshold);
  const auto [claim, is_new] = family.claims.try_emplace({a, b, threshold});
  if (!is_new) return;
  claim->second.margin = margin_between(cells_[a].measured, cells_[b].measured, threshold);
  Claim& opposite = family.claims[{b, a, -threshold}];
  if (claim->second.margin) opposite.margin = shifted(*claim->second.margin, -1, 0);
}

/// Returns the p of a claim; 1 (which counts in its table) if the pair was not run or has no spread yet.
double PairTests::p_of(const Claim* claim) {
  const double p = claim->margin && !(claim->margin->freedom < kLeastFreedom) ? p_above_zero(*claim->margin) : 1;
  return std::isnan(p) ? 1 : p;
}

/// Decides the tests, each by the largest p of its claims; returns the level of the next test to be decided.
double PairTests::decide(const std::vector<Test>& tests) {
  std::vector<double> p;
  for (const Test& test : tests) p.push_back(p_of(std::ranges::max(test, {}, p_of)));
  const std::vector<double> adjusted = holm(p);
  std::size_t decided = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool certain = adjusted[i] <= kVerdictLevel;
    for (Claim* claim : tests[i]) claim->certain = certain;
    decided += certain;
  }
  return kVerdictLevel / static_cast<double>(std::max<std::size_t>(1, tests.size() - decided));
}

}  // namespace elmx
