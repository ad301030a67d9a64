#include <algorithm>
#include <cmath>
#include <tuple>

#include "published/pair_tests.hpp"

namespace elmx {
namespace {

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
  explicit OrderTests(const std::vector<PaperCell>& cells) : cells_(cells), pairs_(cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (const std::size_t j : others_of(i, can_have_number)) {
        const double ties = threshold_of(i, j);
        if (of_algorithms(cells[i].rule)) {
          pairs_.add_order(i, j, 0);
          pairs_.add_ties(i, j, ties);
        } else {
          for (const double sign : {1, -1}) pairs_.add_order(i, j, sign * ties);
        }
      }
    }
    pairs_.decide();
  }

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
    for (const std::size_t other : others) {
      const bool below = !lowest && *mine.published < *cells_[other].published;
      const double ties = threshold_of(cell, other);
      parts.push_back(lowest  ? pairs_.is_lower(cell, other, ties)
                      : below ? pairs_.is_above_or_level(other, cell, ties)
                              : pairs_.is_above_or_level(cell, other, ties));
    }
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

  double threshold_of(std::size_t cell, std::size_t other) const {
    return tie_threshold(cells_[cell], cells_[other], cells_[cell].rule.ties);
  }

  const std::vector<PaperCell>& cells_;
  PairTests pairs_;
};

}  // namespace

bool is_order(const PaperRule& rule) { return of_algorithms(rule) || rule.rule == "lowest"; }

std::optional<MoreRuns> later(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b) {
  if (!a || !b) return std::nullopt;
  return MoreRuns{std::max(a->runs, b->runs), a->at_least || b->at_least};
}

std::optional<MoreRuns> sooner(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b) {
  if (!a || !b) return a ? a : b;
  return std::tie(b->runs, b->at_least) < std::tie(a->runs, a->at_least) ? b : a;
}

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
