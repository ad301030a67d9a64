#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "published/verdicts.hpp"
#include "statistics/rank_tests.hpp"

namespace elmx {
namespace {

/// Two runs without folds decide no order: with one degree of freedom it would hang on whether their
/// differences happen to be alike.
constexpr double kLeastFreedom = 2;

/// Of the algorithms, not of the points of a sweep.
bool of_algorithms(const PaperRule& rule) { return rule.rule == "order" || rule.rule == "rank"; }

bool has_number(const PaperCell& cell) { return cell.measured.value.has_value(); }

/// Returns true if the cell has a number, or no trial of it was run yet. A test that is still to come counts
/// among those of its table (with p = 1): else what is decided today could be undecided when more of the
/// table has been run.
bool can_have_number(const PaperCell& cell) {
  return has_number(cell) || (cell.measured.failed == 0 && cell.measured.row == nullptr);
}

/// The metric of the networks of one case and size.
auto network_of_cell(const PaperCell& cell) {
  const PaperQuestion& asked = cell.asked;
  return std::tie(cell.table, asked.experiment_case, asked.published_metric, asked.statistic, asked.nodes);
}

/// Another point of the same sweep.
bool same_grid(const PaperCell& other, const PaperCell& mine) {
  return network_of_cell(other) == network_of_cell(mine) && other.asked.algorithm == mine.asked.algorithm &&
         other.asked.point != mine.asked.point;
}

/// Another algorithm of the same network, or another training of the algorithm.
bool same_group(const PaperCell& other, const PaperCell& mine) {
  return network_of_cell(other) == network_of_cell(mine) && other.asked.point == mine.asked.point &&
         !(other.asked.algorithm == mine.asked.algorithm && other.measured.row == mine.measured.row);
}

/// The larger of two numbers of further runs; none is more than any.
std::optional<MoreRuns> later(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b) {
  if (!a || !b) return std::nullopt;
  return MoreRuns{std::max(a->runs, b->runs), a->at_least || b->at_least};
}

class OrderTests {
 public:
  explicit OrderTests(const std::vector<PaperCell>& cells) : cells_(cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (const std::size_t j : others_of(i, can_have_number)) {
        for (const double sign : {1, -1}) add(i, j, sign * threshold_of(i, j));
      }
    }
    std::map<std::string, std::vector<Claim*>> tables;
    for (auto& [key, claim] : claims_) tables[cells[std::get<0>(key)].table].push_back(&claim);
    for (const auto& [table, claims] : tables) levels_[table] = decide(claims);
  }

  Judgement judge(std::size_t cell) const {
    const PaperCell& mine = cells_[cell];
    const bool lowest = mine.rule.rule == "lowest";
    if (lowest && mine.measured.failed > 0) return {Verdict::disagrees};
    if (!mine.measured.value) return {Verdict::not_available};
    if (!lowest && !mine.published) return {Verdict::shown};
    const auto in_sweep = [&](bool failed) {  // has another point of the sweep without a number, for that reason
      return lowest && std::ranges::any_of(cells_, [&](const PaperCell& other) {
               return same_grid(other, mine) &&
                      (failed ? other.measured.failed > 0 : !other.measured.value && other.measured.failed == 0);
             });
    };
    const std::vector<std::size_t> others = others_of(cell, has_number);
    std::vector<Judgement> parts;
    for (const std::size_t other : others) {
      const bool below = !lowest && *mine.published < *cells_[other].published;
      parts.push_back(lowest ? judge_lowest(cell, other) : below ? known(other, cell, 0) : known(cell, other, 0));
    }
    const Judgement of_those_run = together(parts);
    if (of_those_run.verdict == Verdict::disagrees) return of_those_run;
    if (in_sweep(false)) return {Verdict::not_available};  // the point that was not run may be the lowest
    if (others_of(cell, can_have_number).size() > others.size()) {
      parts.push_back({Verdict::undecided, MoreRuns{1, true}});
      return together(parts);
    }
    return parts.empty() && !in_sweep(true) ? Judgement{Verdict::shown} : of_those_run;
  }

 private:
  /// The claim that measured of one cell - that of another > threshold (in logarithms where they are times).
  struct Claim {
    std::optional<Estimate> margin;
    bool certain = false;
  };

  /// The cells that it is to be compared with, of those that qualify; none if it does not qualify itself.
  std::vector<std::size_t> others_of(std::size_t cell, bool (*qualifies)(const PaperCell&)) const {
    const PaperCell& mine = cells_[cell];
    const bool order = of_algorithms(mine.rule);
    const double ties = mine.rule.rule == "rank" ? 0 : mine.rule.ties;
    const auto is_tied = [&](double a, double b) {
      return a == b || std::abs(a - b) <= ties * std::max(std::abs(a), std::abs(b));
    };
    std::vector<std::size_t> others;
    if (!is_order(mine.rule) || !qualifies(mine) || (order && !mine.published)) return others;
    for (std::size_t j = 0; j < cells_.size(); ++j) {
      const PaperCell& other = cells_[j];
      const bool compared =
          order ? same_group(other, mine) && other.published && !is_tied(*mine.published, *other.published)
                : same_grid(other, mine) && other.measured.failed == 0;
      if (compared && qualifies(other)) others.push_back(j);
    }
    return others;
  }

  double threshold_of(std::size_t cell, std::size_t other) const {
    const PaperCell &mine = cells_[cell], &theirs = cells_[other];
    if (of_algorithms(mine.rule)) return 0;
    if (!has_number(mine) || !has_number(theirs)) return mine.rule.ties;
    if (differ_by_a_ratio(mine.measured, theirs.measured)) return -std::log1p(-mine.rule.ties);
    const double largest = std::max(std::abs(*mine.measured.value), std::abs(*theirs.measured.value));
    return std::isinf(largest) ? 0 : mine.rule.ties * largest;
  }

  /// Adds the claim and its opposite, once a pair of cells.
  void add(std::size_t a, std::size_t b, double threshold) {
    if (a > b) return add(b, a, -threshold);
    const auto [claim, is_new] = claims_.try_emplace({a, b, threshold});
    if (!is_new) return;
    claim->second.margin = margin_between(cells_[a].measured, cells_[b].measured, threshold);
    Claim& opposite = claims_[{b, a, -threshold}];
    if (claim->second.margin) opposite.margin = shifted(*claim->second.margin, -1, 0);
  }

  /// Decides the claims; returns the level of the one that would be next.
  static double decide(const std::vector<Claim*>& claims) {
    // holm() leaves out what has no p; a pair that was not run, or has no spread yet, is one of the table all
    // the same.
    std::vector<double> p;
    for (const Claim* claim : claims) {
      const double one = claim->margin && !(claim->margin->freedom < kLeastFreedom) ? p_above_zero(*claim->margin) : 1;
      p.push_back(std::isnan(one) ? 1 : one);
    }
    const std::vector<double> adjusted = holm(p);
    std::size_t decided = 0;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      claims[i]->certain = adjusted[i] <= kVerdictLevel;
      decided += claims[i]->certain;
    }
    return kVerdictLevel / static_cast<double>(std::max<std::size_t>(1, claims.size() - decided));
  }

  /// What is known of the claim that one cell is above another by more than the threshold.
  Judgement known(std::size_t above, std::size_t below, double threshold) const {
    const Claim &claim = claims_.at({above, below, threshold}), &opposite = claims_.at({below, above, -threshold});
    if (!claim.margin) return {Verdict::undecided, MoreRuns{1, true}};  // no run of both
    const bool leans_to_missed = claim.margin->value < 0;
    if (claim.certain) return {Verdict::agrees};
    if (opposite.certain) return {Verdict::disagrees, {}, leans_to_missed};
    return {Verdict::undecided, more_runs(*claim.margin, levels_.at(cells_[above].table)), leans_to_missed};
  }

  Judgement judge_lowest(std::size_t cell, std::size_t other) const {
    const double ties = threshold_of(cell, other);
    const Judgement lower = known(other, cell, ties), not_higher = known(other, cell, -ties);
    const bool is_not_lower = lower.verdict == Verdict::disagrees,
               is_not_higher = not_higher.verdict == Verdict::agrees;
    if (lower.verdict == Verdict::agrees) return lower;
    if (not_higher.verdict == Verdict::disagrees) return not_higher;
    if (is_not_lower && is_not_higher) return {Verdict::tied};
    if (!lower.leans_to_missed) return lower;
    if (not_higher.leans_to_missed) return not_higher;
    return {Verdict::undecided,
            later(is_not_lower ? MoreRuns{} : lower.more, is_not_higher ? MoreRuns{} : not_higher.more)};
  }

  const std::vector<PaperCell>& cells_;
  std::map<std::tuple<std::size_t, std::size_t, double>, Claim> claims_;
  std::map<std::string, double> levels_;  ///< by table: of the claim that is next to be decided
};

}  // namespace

bool is_order(const PaperRule& rule) { return of_algorithms(rule) || rule.rule == "lowest"; }

Judgement together(const std::vector<Judgement>& parts) {
  const auto has = [&](Verdict verdict) { return std::ranges::count(parts, verdict, &Judgement::verdict) > 0; };
  if (has(Verdict::disagrees)) return {Verdict::disagrees};
  if (!has(Verdict::undecided)) return {has(Verdict::tied) ? Verdict::tied : Verdict::agrees};
  std::optional<MoreRuns> soonest_missed, latest = MoreRuns{};
  bool leans_to_missed = false;
  for (const auto& [verdict, more, leans] : parts) {
    if (verdict != Verdict::undecided) continue;
    latest = later(latest, more);
    leans_to_missed = leans_to_missed || leans;
    if (leans && more && (!soonest_missed || more->runs < soonest_missed->runs)) soonest_missed = more;
  }
  return {Verdict::undecided, leans_to_missed ? soonest_missed : latest};
}

std::vector<Judgement> judge_orders(const std::vector<PaperCell>& cells) {
  const OrderTests tests(cells);
  std::vector<Judgement> judgements(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_order(cells[i].rule)) judgements[i] = tests.judge(i);
  }
  return judgements;
}

}  // namespace elmx
