#include <algorithm>
#include <cmath>
#include <tuple>

#include "published/pair_tests.hpp"
#include "statistics/hypothesis_tests.hpp"

namespace elmx {
namespace {

/// Returns the larger of two numbers of further runs; none is larger than any number.
std::optional<MoreRuns> later(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b) {
  if (!a || !b) return std::nullopt;
  return MoreRuns{std::max(a->runs, b->runs), a->at_least || b->at_least};
}

/// Returns the smaller of two numbers of further runs; none is larger than any number.
std::optional<MoreRuns> sooner(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b) {
  if (!a || !b) return a ? a : b;
  return std::tie(b->runs, b->at_least) < std::tie(a->runs, a->at_least) ? b : a;
}

/// Two runs without folds do not decide an order: with one degree of freedom the result would depend on
/// whether their differences happen to be similar.
constexpr double kLeastFreedom = 2;

/// Returns true if the rule orders algorithms, not points of a sweep.
bool of_algorithms(const PaperRule& rule) { return rule.rule == "order" || rule.rule == "rank"; }

/// Returns true if the cell has a number or none of its trials was run yet. A pending test counts among the
/// tests of its table with p = 1; otherwise a test that is decided today could become open when more of the
/// table is run.
bool can_have_number(const PaperCell& cell) {
  return has_number(cell) || (cell.measured.failed == 0 && cell.measured.row == nullptr);
}

/// Returns the key of a metric of the networks of one case and size.
auto network_of_cell(const PaperCell& cell) {
  const PaperQuestion& asked = cell.asked;
  return std::tie(cell.table, asked.experiment_case, asked.published_metric, asked.statistic, asked.nodes);
}

/// Returns true for another point of the same sweep.
bool same_grid(const PaperCell& other, const PaperCell& mine) {
  return network_of_cell(other) == network_of_cell(mine) && other.asked.algorithm == mine.asked.algorithm &&
         other.asked.point != mine.asked.point;
}

/// Returns true for another algorithm of the same network, or another training of the algorithm.
bool same_group(const PaperCell& other, const PaperCell& mine) {
  return network_of_cell(other) == network_of_cell(mine) && other.asked.point == mine.asked.point &&
         !(other.asked.algorithm == mine.asked.algorithm && other.measured.row == mine.measured.row);
}

class OrderTests {
 public:
  explicit OrderTests(const std::vector<PaperCell>& cells) : cells_(cells), pairs_(cells, questions()) {}

  Judgement judge(std::size_t cell) const {
    const PaperCell& mine = cells_[cell];
    const bool lowest = mine.rule.rule == "lowest";
    if (lowest && mine.measured.failed > 0) return {Verdict::disagrees};
    if (!mine.measured.value) return {Verdict::not_available};
    if (!lowest && !mine.published) return {Verdict::shown};
    // Returns true if another point of the sweep failed, or, for failed = false, has no value yet.
    const auto in_sweep = [&](bool failed) {
      return lowest && std::ranges::any_of(cells_, [&](const PaperCell& other) {
               return same_grid(other, mine) &&
                      (failed ? other.measured.failed > 0 : !other.measured.value && other.measured.failed == 0);
             });
    };
    const std::vector<std::size_t> others = others_of(cell, has_number);
    std::vector<Judgement> parts;
    for (const std::size_t other : others) parts.push_back(pairs_.judge(question_of(cell, other)));
    const Judgement of_those_run = together(parts);
    if (of_those_run.verdict == Verdict::disagrees) return of_those_run;
    if (in_sweep(false)) return {Verdict::not_available};  // the point that was not run may be the lowest
    if (others_of(cell, can_have_number).size() > others.size()) {
      if (parts.empty()) return {.verdict = Verdict::not_available, .note = "no other value yet"};
      parts.push_back(open_judgement(true, MoreRuns{1, true}));
      return together(parts);
    }
    return parts.empty() && !in_sweep(true) ? Judgement{Verdict::shown} : of_those_run;
  }

 private:
  /// Returns the qualifying cells to compare a cell with; none if the cell itself does not qualify.
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

  PairQuestion question_of(std::size_t cell, std::size_t other) const {
    const PaperCell& mine = cells_[cell];
    const double ties = tie_threshold(mine, cells_[other], mine.rule.ties);
    if (!of_algorithms(mine.rule)) return {PairQuestion::Relation::below, cell, other, ties};
    const bool below = *mine.published < *cells_[other].published;
    return {PairQuestion::Relation::above, below ? other : cell, below ? cell : other, ties};
  }

  std::vector<PairQuestion> questions() const {
    std::vector<PairQuestion> all;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      for (const std::size_t j : others_of(i, can_have_number)) all.push_back(question_of(i, j));
    }
    return all;
  }

  const std::vector<PaperCell>& cells_;
  PairTests pairs_;
};

}  // namespace

bool has_number(const PaperCell& cell) { return cell.measured.value.has_value(); }

double tie_threshold(const PaperCell& a, const PaperCell& b, double ties) {
  if (!has_number(a) || !has_number(b)) return ties;
  if (differ_by_a_ratio(a.measured, b.measured)) return -std::log1p(-ties);
  const double largest = larger_of(a.measured, b.measured);
  return std::isinf(largest) ? 0 : ties * largest;
}

PairTests::PairTests(const std::vector<PaperCell>& cells, const std::vector<PairQuestion>& questions) : cells_(cells) {
  for (const auto& [relation, a, b, ties_of_pair] : questions) {
    if (relation == PairQuestion::Relation::above) add(orders_, a, b, 0);
    for (const double sign : {1, -1})
      add(relation == PairQuestion::Relation::above ? ties_ : orders_, a, b, sign * ties_of_pair);
  }
  std::map<std::string, std::vector<Test>> orders, ties;
  for (auto& [key, claim] : orders_.claims) orders[cells_[std::get<0>(key)].table].push_back({&claim});
  for (auto& [key, claim] : ties_.claims) {
    const auto& [a, b, threshold] = key;
    if (a < b && threshold < 0) ties[cells_[a].table].push_back({&claim, &ties_.claims.at({b, a, threshold})});
  }
  for (const auto& [table, tests] : orders) orders_.levels[table] = decide(tests);
  for (const auto& [table, tests] : ties) ties_.levels[table] = decide(tests);
}

Judgement PairTests::judge(const PairQuestion& question) const {
  const auto& [relation, a, b, ties] = question;
  switch (relation) {
    case PairQuestion::Relation::above:
      return is_above_or_level(a, b, ties);
    case PairQuestion::Relation::level:
      return together({is_above(b, a, -ties), is_above(a, b, -ties)});
    case PairQuestion::Relation::below:
      return is_below(a, b, ties);
  }
  return {};
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

Judgement PairTests::is_below(std::size_t cell, std::size_t other, double ties) const {
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

bool is_order(const PaperRule& rule) { return of_algorithms(rule) || rule.rule == "lowest"; }

Judgement together(const std::vector<Judgement>& parts) {
  Judgement all{Verdict::agrees};
  std::optional<MoreRuns> latest = MoreRuns{};
  for (const Judgement& part : parts) {
    all.verdict = std::max(all.verdict, part.verdict);
    all.missed = sooner(all.missed, part.missed);
    if (is_open(part.verdict)) latest = later(latest, part.more);
  }
  if (!is_open(all.verdict)) return {all.verdict};
  all.more = sooner(all.missed, latest);
  return all;
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
