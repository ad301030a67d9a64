#include "published/order_tests.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/rank_tests.hpp"
#include "statistics/ties.hpp"

namespace elmx {

namespace {

/// Whether both are of one algorithm after as many iterations.
bool of_one_training(const PaperCell& a, const PaperCell& b) {
  return a.algorithm == b.algorithm && a.measured.row == b.measured.row;
}

/// Two runs without folds decide no order: with one degree of freedom it would hang on whether their differences
/// happen to be alike.
constexpr double kLeastFreedom = 2;

/// Of the algorithms, not of the points of a sweep.
bool of_algorithms(const PaperRule& rule) { return rule.rule == "order" || rule.rule == "rank"; }

bool has_number(const PaperCell& cell) { return cell.measured.value.has_value(); }

/// It has one, or no trial of it was run yet. A test that is still to come counts among those of its table (with p =
/// 1): else what is decided today could be undecided when more of the table has been run.
bool can_have_number(const PaperCell& cell) {
  return has_number(cell) || (cell.measured.failed == 0 && cell.measured.row == nullptr);
}

/// Another point of the same sweep.
bool same_grid(const PaperCell& other, const PaperCell& mine) {
  return other.grid == mine.grid && other.group != mine.group && other.table == mine.table;
}

}  // namespace

bool is_order(const PaperRule& rule) { return of_algorithms(rule) || rule.rule == "lowest"; }

std::optional<MoreRuns> earlier(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b) {
  if (!a || !b) return a ? a : b;
  return a->runs <= b->runs ? a : b;
}

std::optional<MoreRuns> later(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b) {
  if (!a || !b) return std::nullopt;
  return MoreRuns{std::max(a->runs, b->runs), a->at_least || b->at_least};
}

bool alike(const Estimate& estimate) { return estimate.runs < 2 || (estimate.variance == 0 && estimate.coins > 0); }

OrderTests::OrderTests(const std::vector<PaperCell>& cells) : cells_(cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const std::size_t j : others_of(i, can_have_number)) {
      if (exact(i, j)) continue;
      const double threshold = threshold_of(i, j);
      add(i, j, threshold);
      add(i, j, -threshold);
    }
  }
  std::map<std::string, std::vector<Test*>> tables;
  for (auto& [key, test] : tests_) tables[cells[std::get<0>(key)].table].push_back(&test);
  for (const auto& [table, tests] : tables) levels_[table] = decide(tests);
}

double OrderTests::decide(const std::vector<Test*>& tests) {
  // holm() leaves out what has no p; a pair that was not run, or has no spread yet, is one of the table all the same.
  const auto p_of = [](const Estimate& margin) {
    const double one = p_above_zero(margin);
    return std::isnan(one) || margin.freedom < kLeastFreedom ? 1 : one;
  };
  std::vector<double> p;
  for (const Test* test : tests) {
    p.push_back(test->margin ? p_of(*test->margin) : 1);
    p.push_back(test->margin ? p_of(shifted(*test->margin, -1, 0)) : 1);
  }
  const std::vector<double> adjusted = holm(p);
  std::size_t at = 0, decided = 0;
  for (Test* test : tests) {
    test->above = adjusted[at++] <= kVerdictLevel;
    test->below = adjusted[at++] <= kVerdictLevel;
    decided += test->above + test->below;
  }
  return kVerdictLevel / static_cast<double>(std::max<std::size_t>(1, p.size() - decided));
}

/// The cells that it is to be compared with, of those that qualify; none if it does not qualify itself.
std::vector<std::size_t> OrderTests::others_of(std::size_t cell, bool (*qualifies)(const PaperCell&)) const {
  const PaperCell& mine = cells_[cell];
  const bool order = of_algorithms(mine.rule);
  const double ties = mine.rule.rule == "rank" ? 0 : mine.rule.ties;
  std::vector<std::size_t> others;
  if (!is_order(mine.rule) || !qualifies(mine) || (order && !mine.published)) return others;
  for (std::size_t j = 0; j < cells_.size(); ++j) {
    const PaperCell& other = cells_[j];
    if (!qualifies(other) || other.table != mine.table) continue;
    const bool compared = order ? other.group == mine.group && !of_one_training(other, mine) && other.published &&
                                      !within_ties(*mine.published, *other.published, ties)
                                : same_grid(other, mine) && other.measured.failed == 0;
    if (compared) others.push_back(j);
  }
  return others;
}

double OrderTests::threshold_of(std::size_t cell, std::size_t other) const {
  const PaperCell &mine = cells_[cell], &theirs = cells_[other];
  if (of_algorithms(mine.rule)) return 0;
  if (!has_number(mine) || !has_number(theirs)) return mine.rule.ties;
  if (differ_by_a_ratio(mine.measured, theirs.measured)) return -std::log1p(-mine.rule.ties);
  const double largest = std::max(std::abs(*mine.measured.value), std::abs(*theirs.measured.value));
  return std::isinf(largest) ? 0 : mine.rule.ties * largest;
}

bool OrderTests::exact(std::size_t cell, std::size_t other) const {
  const auto certain = [](const PaperCell& one) {
    const std::optional<Estimate> estimate = estimate_of(one.measured);
    return !estimate || alike(*estimate);
  };
  return cells_[cell].rule.exact && certain(cells_[cell]) && certain(cells_[other]);
}

void OrderTests::add(std::size_t cell, std::size_t other, double threshold) {
  if (cell > other) {
    std::swap(cell, other);
    threshold = -threshold;
  }
  const auto [at, is_new] = tests_.try_emplace({cell, other, threshold});
  if (!is_new) return;
  at->second.margin = margin_between(cells_[cell].measured, cells_[other].measured, threshold);
}

OrderTests::Side OrderTests::side(std::size_t cell, std::size_t other, double sign, double threshold) const {
  threshold *= sign;
  if (cell > other) {
    std::swap(cell, other);
    threshold = -threshold;
    sign = -sign;
  }
  const Test& test = tests_.at({cell, other, threshold});
  if (!test.margin) return {false, false, 0, MoreRuns{1, true}};  // no run of both
  const double margin = sign * test.margin->value;
  const bool met = sign > 0 ? test.above : test.below, missed = sign > 0 ? test.below : test.above;
  if (met || missed) return {met, missed, margin};
  return {false, false, margin, more_runs(*test.margin, levels_.at(cells_[cell].table))};
}

Judgement OrderTests::judge_order(std::size_t cell, std::size_t other, Verdict& leaning) const {
  const double sign = *cells_[cell].published < *cells_[other].published ? -1 : 1;
  if (exact(cell, other)) {
    const double mine = *cells_[cell].measured.value, others = *cells_[other].measured.value;
    if (equal_but_for_rounding(mine, others)) return {Verdict::undecided};
    return {sign * (mine - others) > 0 ? Verdict::agrees : Verdict::disagrees};
  }
  const Side found = side(cell, other, sign, 0);
  leaning = found.margin < 0 ? Verdict::disagrees : Verdict::agrees;
  if (found.met) return {Verdict::agrees};
  if (found.missed) return {Verdict::disagrees};
  return {Verdict::undecided, found.more};
}

Judgement OrderTests::judge_lowest(std::size_t cell, std::size_t other, Verdict& leaning) const {
  if (exact(cell, other)) {
    const double mine = *cells_[cell].measured.value, others = *cells_[other].measured.value;
    if (within_ties(mine, others, cells_[cell].rule.ties)) return {Verdict::tied};
    return {mine < others ? Verdict::agrees : Verdict::disagrees};
  }
  const double ties = threshold_of(cell, other);
  const Side lower = side(cell, other, -1, ties), not_higher = side(cell, other, -1, -ties);
  leaning = lower.margin > 0 ? Verdict::agrees : not_higher.margin < 0 ? Verdict::disagrees : Verdict::tied;
  if (lower.met) return {Verdict::agrees};
  if (not_higher.missed) return {Verdict::disagrees};
  if (lower.missed && not_higher.met) return {Verdict::tied};
  switch (leaning) {
    case Verdict::agrees:
      return {Verdict::undecided, lower.more};
    case Verdict::disagrees:
      return {Verdict::undecided, not_higher.more};
    default:
      return {Verdict::undecided, later(lower.missed ? MoreRuns{} : lower.more,
                                        not_higher.met ? std::optional(MoreRuns{}) : not_higher.more)};
  }
}

Judgement OrderTests::judge(std::size_t cell) const {
  const PaperCell& mine = cells_[cell];
  const bool lowest = mine.rule.rule == "lowest";
  if (lowest && mine.measured.failed > 0) return {Verdict::disagrees};
  if (!mine.measured.value) return {Verdict::not_available};
  if (!lowest && !mine.published) return {Verdict::shown};
  bool any = lowest && std::any_of(cells_.begin(), cells_.end(), [&](const PaperCell& other) {
               return same_grid(other, mine) && other.measured.failed > 0;
             });
  bool missed = false, tie = false, undecided = false, leans_to_missed = false;
  std::optional<MoreRuns> soonest_missed, latest = MoreRuns{};
  for (const std::size_t other : others_of(cell, has_number)) {
    any = true;
    Verdict leaning = Verdict::agrees;
    const Judgement one = lowest ? judge_lowest(cell, other, leaning) : judge_order(cell, other, leaning);
    missed = missed || one.verdict == Verdict::disagrees;
    tie = tie || one.verdict == Verdict::tied;
    if (one.verdict != Verdict::undecided) continue;
    undecided = true;
    latest = later(latest, one.more);
    if (leaning != Verdict::disagrees) continue;
    leans_to_missed = true;
    soonest_missed = earlier(soonest_missed, one.more);
  }
  if (missed) return {Verdict::disagrees};
  if (lowest && std::any_of(cells_.begin(), cells_.end(), [&](const PaperCell& other) {
        return same_grid(other, mine) && !other.measured.value && other.measured.failed == 0;
      }))
    return {Verdict::not_available};  // the point that was not run may be the lowest
  const bool all_run = others_of(cell, can_have_number).size() == others_of(cell, has_number).size();
  if (undecided && leans_to_missed) return {Verdict::undecided, soonest_missed};
  if (!all_run) latest = later(latest, MoreRuns{1, true});
  if (undecided || !all_run) return {Verdict::undecided, latest};
  if (!any) return {Verdict::shown};
  return {tie ? Verdict::tied : Verdict::agrees};
}

}  // namespace elmx
