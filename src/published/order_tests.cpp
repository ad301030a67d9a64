#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "published/verdicts.hpp"
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

bool has_number(const PaperCell& cell) { return cell.measured.value.has_value(); }

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

/// One-sided tests of the differences of pairs of cells, see judge_pairs.
class PairTests {
 public:
  /// Decides all questions. The cells must outlive the object.
  PairTests(const std::vector<PaperCell>& cells, const std::vector<PairQuestion>& questions) : cells_(cells) {
    for (const PairQuestion& question : questions) {
      const bool above = question.relation == PairQuestion::Relation::above;
      const double threshold = threshold_of(question);
      if (above) add(orders_, question.a, question.b, 0);
      for (const double sign : {1, -1}) add(above ? ties_ : orders_, question.a, question.b, sign * threshold);
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

  /// Answers one of the questions.
  Judgement judge(const PairQuestion& question) const {
    const std::size_t a = question.a, b = question.b;
    if (!has_number(cells_[a]) || !has_number(cells_[b])) return {Verdict::not_available};
    const double threshold = threshold_of(question);
    if (question.exact) {
      const double difference = std::abs(*cells_[a].measured.value - *cells_[b].measured.value);
      return {difference <= threshold ? Verdict::agrees : Verdict::disagrees};
    }
    switch (question.relation) {
      case PairQuestion::Relation::above:
        return is_above_or_level(a, b, threshold);
      case PairQuestion::Relation::level:
        return together({is_above(b, a, -threshold), is_above(a, b, -threshold)});
      case PairQuestion::Relation::below:
        return is_below(a, b, threshold);
    }
    return {};
  }

 private:
  /// The claim that the difference of two cells exceeds the threshold (in logarithms for times).
  struct Claim {
    std::optional<Estimate> margin;
    bool certain = false;
  };

  /// A conjunction: it is certain if all its claims are certain.
  using Test = std::vector<Claim*>;

  struct Family {
    std::map<std::tuple<std::size_t, std::size_t, double>, Claim> claims;
    std::map<std::string, double> levels;  ///< level of the next test to be decided, by table
  };

  /// Returns the difference below which the cells of a question are level (ratios: in logarithms).
  double threshold_of(const PairQuestion& question) const {
    const PaperCell &a = cells_[question.a], &b = cells_[question.b];
    if (!has_number(a) || !has_number(b)) return question.ties;
    if (differ_by_a_ratio(a.measured, b.measured)) return -std::log1p(-question.ties);
    const double largest = larger_of(a.measured, b.measured);
    return std::isinf(largest) ? 0 : question.ties * largest;
  }

  /// Adds the claim and its opposite, once per pair of cells.
  void add(Family& family, std::size_t a, std::size_t b, double threshold) {
    if (a > b) return add(family, b, a, -threshold);
    const auto [claim, is_new] = family.claims.try_emplace({a, b, threshold});
    if (!is_new) return;
    claim->second.margin = margin_between(cells_[a].measured, cells_[b].measured, threshold);
    Claim& opposite = family.claims[{b, a, -threshold}];
    if (claim->second.margin) opposite.margin = shifted(*claim->second.margin, -1, 0);
  }

  /// Returns the p of a claim; 1 (which counts in its table) if the pair was not run or has no spread yet.
  static double p_of(const Claim* claim) {
    const double p = claim->margin && !(claim->margin->freedom < kLeastFreedom) ? p_above_zero(*claim->margin) : 1;
    return std::isnan(p) ? 1 : p;
  }

  /// Decides the tests, each by the largest p of its claims; returns the level of the next test to be
  /// decided.
  static double decide(const std::vector<Test>& tests) {
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

  Judgement is_above(std::size_t above, std::size_t below, double threshold) const {
    const Claim &claim = orders_.claims.at({above, below, threshold}),
                &opposite = orders_.claims.at({below, above, -threshold});
    if (claim.certain) return {Verdict::agrees};
    if (opposite.certain) return {Verdict::disagrees};
    if (!claim.margin)  // no run has both
      return open_judgement(*cells_[above].measured.value > *cells_[below].measured.value, MoreRuns{1, true});
    return open_judgement(claim.margin->value > 0, more_runs(*claim.margin, orders_.levels.at(cells_[above].table)));
  }

  Judgement is_above_or_level(std::size_t above, std::size_t below, double ties) const {
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

  Judgement is_below(std::size_t cell, std::size_t other, double ties) const {
    const Judgement lower = is_above(other, cell, ties), not_higher = is_above(other, cell, -ties);
    const bool is_not_lower = lower.verdict == Verdict::disagrees,
               is_not_higher = not_higher.verdict == Verdict::agrees;
    if (lower.verdict == Verdict::agrees) return lower;
    if (not_higher.verdict == Verdict::disagrees) return not_higher;
    if (is_not_lower && is_not_higher) return {Verdict::level};
    if (lower.verdict == Verdict::consistent) return lower;
    if (not_higher.verdict == Verdict::contrary) return not_higher;
    const double difference = orders_.claims.at({other, cell, ties}).margin->value + ties;
    return {difference > 0 ? Verdict::consistent : Verdict::contrary,
            later(is_not_lower ? MoreRuns{} : lower.more, is_not_higher ? MoreRuns{} : not_higher.more)};
  }

  const std::vector<PaperCell>& cells_;
  Family orders_;  // one cell is above another by more than a threshold
  Family ties_;    // two cells differ by less than the ties: two claims per test
};

/// Returns the questions that the rule of a cell asks: one for each cell that it is compared with and that
/// can have a number. None if the cell itself cannot have one.
std::vector<PairQuestion> questions_of(const std::vector<PaperCell>& cells, std::size_t cell) {
  const PaperCell& mine = cells[cell];
  const bool order = of_algorithms(mine.rule);
  const double published_ties = mine.rule.rule == "rank" ? 0 : mine.rule.ties;
  const auto is_tied = [&](double a, double b) {
    return a == b || std::abs(a - b) <= published_ties * std::max(std::abs(a), std::abs(b));
  };
  std::vector<PairQuestion> questions;
  if (!is_order(mine.rule) || !can_have_number(mine) || (order && !mine.published)) return questions;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const PaperCell& other = cells[j];
    const bool compared =
        order ? same_group(other, mine) && other.published && !is_tied(*mine.published, *other.published)
              : same_grid(other, mine) && other.measured.failed == 0;
    if (!compared || !can_have_number(other)) continue;
    const bool swaps = order && *mine.published < *other.published;
    questions.push_back({order ? PairQuestion::Relation::above : PairQuestion::Relation::below, swaps ? j : cell,
                         swaps ? cell : j, mine.rule.ties});
  }
  return questions;
}

/// Judges a cell by the answers to its questions.
Judgement judge_order(const std::vector<PaperCell>& cells, const PaperCell& mine, std::vector<Judgement> pairs) {
  const bool lowest = mine.rule.rule == "lowest";
  if (lowest && mine.measured.failed > 0) return {Verdict::disagrees};
  if (!mine.measured.value) return {Verdict::not_available};
  if (!lowest && !mine.published) return {Verdict::shown};
  // Returns true if another point of the sweep failed, or, for failed = false, has no value yet.
  const auto in_sweep = [&](bool failed) {
    return lowest && std::ranges::any_of(cells, [&](const PaperCell& other) {
             return same_grid(other, mine) &&
                    (failed ? other.measured.failed > 0 : !other.measured.value && other.measured.failed == 0);
           });
  };
  const std::size_t without_number =
      std::erase_if(pairs, [](const Judgement& pair) { return pair.verdict == Verdict::not_available; });
  const Judgement of_those_run = together(pairs);
  if (of_those_run.verdict == Verdict::disagrees) return of_those_run;
  if (in_sweep(false)) return {Verdict::not_available};  // the point that was not run may be the lowest
  if (without_number > 0) {
    if (pairs.empty()) return {.verdict = Verdict::not_available, .note = "no other value yet"};
    pairs.push_back(open_judgement(true, MoreRuns{1, true}));
    return together(pairs);
  }
  return pairs.empty() && !in_sweep(true) ? Judgement{Verdict::shown} : of_those_run;
}

}  // namespace

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

std::vector<Judgement> judge_pairs(const std::vector<PaperCell>& cells, const std::vector<PairQuestion>& questions) {
  const PairTests tests(cells, questions);
  std::vector<Judgement> answers;
  for (const PairQuestion& question : questions) answers.push_back(tests.judge(question));
  return answers;
}

std::vector<Judgement> judge_orders(const std::vector<PaperCell>& cells) {
  std::vector<PairQuestion> questions;
  std::vector<std::size_t> cell_of;  // the cell that asks each question
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const PairQuestion& question : questions_of(cells, i)) {
      questions.push_back(question);
      cell_of.push_back(i);
    }
  }
  const std::vector<Judgement> answers = judge_pairs(cells, questions);
  std::vector<std::vector<Judgement>> pairs(cells.size());
  for (std::size_t k = 0; k < answers.size(); ++k) pairs[cell_of[k]].push_back(answers[k]);
  std::vector<Judgement> judgements(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_order(cells[i].rule)) judgements[i] = judge_order(cells, cells[i], std::move(pairs[i]));
  }
  return judgements;
}

}  // namespace elmx
