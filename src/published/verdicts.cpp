#include "published/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/printable.hpp"
#include "published/order_tests.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

/// `margins` are all above 0 where the cell agrees.
Judgement by_margins(const std::vector<Estimate>& margins) {
  constexpr double level = kVerdictLevel / 2;
  std::optional<MoreRuns> soonest_missed, latest_met = MoreRuns{};
  bool missed = false, all_met = true, leans_to_missed = false;
  for (const Estimate& margin : margins) {
    missed = missed || p_above_zero(shifted(margin, -1, 0)) <= level;
    if (p_above_zero(margin) <= level) continue;
    all_met = false;
    const std::optional<MoreRuns> more = more_runs(margin, level);
    if (margin.value < 0) {
      leans_to_missed = true;
      soonest_missed = earlier(soonest_missed, more);
    }
    latest_met = later(latest_met, more);
  }
  if (missed) return {Verdict::disagrees};
  if (all_met) return {Verdict::agrees};
  return {Verdict::undecided, leans_to_missed ? soonest_missed : latest_met};
}

/// Where measured has to be: at least low times published (plus low_offset), at most high times (plus high_offset).
struct Bound {
  double times = 1, offset = 0;
  bool upper = true;  ///< measured is to be below it
};

std::vector<Bound> bounds_of(const PaperRule& rule, double published) {
  const double tolerance = rule.tolerance, sign = published < 0 ? -1 : 1;
  if (rule.rule == "relative") return {{1 + sign * tolerance, 0, true}, {1 - sign * tolerance, 0, false}};
  if (rule.rule == "absolute") return {{1, tolerance, true}, {1, -tolerance, false}};
  const double times = 1 + sign * (rule.factor - 1);  // published + (factor - 1) |published|
  if (rule.rule == "at_most_times") return {{times, 0, true}};
  if (rule.rule == "at_least_times") return {{times, 0, false}};
  if (rule.rule == "not_below") return {{1, -tolerance, false}};
  expects(rule.rule == "diverges", "bounds_of: a rule of PaperRule that compares numbers");
  return {{1, 0, false}};
}

/// Whether the runs of the paper, with the spread that it prints, are compared with ours.
bool of_two_samples(const PaperCell& cell) {
  return cell.published_sd && cell.measured.kind == MeasuredKind::mean && !cell.measured.over;
}

/// A number that is at its bound but for rounding is within it.
Estimate within(Estimate margin, double measured, double limit) {
  if (margin.variance == 0 && equal_but_for_rounding(measured, limit))
    margin.value = std::max(margin.value, std::numeric_limits<double>::min());
  return margin;
}

/// How far measured is on the right side of the bound.
Estimate margin_of(const PaperCell& cell, const Estimate& measured, const Bound& bound) {
  const double limit = bound.times * *cell.published + bound.offset, sign = bound.upper ? -1 : 1;
  if (cell.measured.kind == MeasuredKind::epochs_to_reach && !cell.measured.over)
    return shifted(epochs_beyond(cell.measured, limit).value_or(measured), sign, 0);
  if (is_ratio_of_times(cell.measured)) {
    const double infinite = std::numeric_limits<double>::infinity();
    return shifted(measured, sign, -sign * (limit > 0 ? std::log(limit) : -infinite));
  }
  if (!of_two_samples(cell)) return within(shifted(measured, sign, -sign * limit), measured.value, limit);
  return shifted(minus_known_mean(measured, bound.times, *cell.published, *cell.published_sd, cell.published_runs),
                 sign, -sign * bound.offset);
}

Judgement judge_value(const PaperCell& cell) {
  const std::vector<Bound> bounds = bounds_of(cell.rule, *cell.published);
  const std::optional<Estimate> estimate = estimate_of(cell.measured);
  const bool exact = cell.rule.exact || is_over_itself(cell.measured);
  if (exact && (!estimate || alike(*estimate))) {
    const bool met = std::all_of(bounds.begin(), bounds.end(), [&](const Bound& bound) {
      const double limit = bound.times * *cell.published + bound.offset;
      const double measured = *cell.measured.value;
      return (bound.upper ? measured <= limit : measured >= limit) || equal_but_for_rounding(measured, limit);
    });
    return {met ? Verdict::agrees : Verdict::disagrees};
  }
  if (!estimate) return {Verdict::undecided};
  std::vector<Estimate> margins;
  for (const Bound& bound : bounds) margins.push_back(margin_of(cell, *estimate, bound));
  return by_margins(margins);
}

Judgement verdict_of(bool agrees) { return {agrees ? Verdict::agrees : Verdict::disagrees}; }

Judgement judge_alone(const PaperCell& cell) {
  const std::string& rule = cell.rule.rule;
  if (rule == "shown") return {Verdict::shown};
  if (rule == "absent") {
    if (cell.measured.value) return {Verdict::disagrees};
    const bool run = cell.measured.broken == 0 && (cell.measured.failed > 0 || cell.measured.row != nullptr);
    return {run ? Verdict::agrees : Verdict::not_available};
  }
  if (rule == "same_text") {
    if (cell.measured_text.empty()) return {Verdict::not_available};
    return verdict_of(cell.measured_text == cell.published_text);
  }
  if (rule == "diverges" && cell.measured.failed > 0) return {Verdict::agrees};
  if (!cell.measured.value) return {Verdict::not_available};
  return cell.published ? judge_value(cell) : Judgement{Verdict::shown};
}

}  // namespace

std::optional<Interval> interval_of(const PaperCell& cell, const Estimate& measured) {
  if (of_two_samples(cell) && cell.published) {
    const Estimate difference = minus_known_mean(measured, 1, *cell.published, *cell.published_sd, cell.published_runs);
    return interval_of(shifted(difference, 1, *cell.published));
  }
  const std::optional<Interval> interval = interval_of(measured);
  if (!interval || !is_ratio_of_times(cell.measured)) return interval;
  return Interval{std::exp(interval->low), std::exp(interval->high)};
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::disagrees:
      return "disagrees";
    case Verdict::tied:
      return "tie";
    case Verdict::undecided:
      return "undecided";
    case Verdict::not_available:
      return "NA";
    case Verdict::shown:
      return "shown";
  }
  return "";
}

std::string verdict_text(const Judgement& judgement) {
  std::string text = to_string(judgement.verdict);
  if (judgement.verdict != Verdict::undecided) return text;
  if (!judgement.more) return text + ", more runs would not do";
  return text + (judgement.more->at_least ? ", at least " : ", about ") + counted(judgement.more->runs, "more run");
}

std::vector<Judgement> judge(const std::vector<PaperCell>& cells) {
  const OrderTests orders(cells);
  std::vector<Judgement> judgements;
  for (std::size_t i = 0; i < cells.size(); ++i)
    judgements.push_back(is_order(cells[i].rule) ? orders.judge(i) : judge_alone(cells[i]));
  return judgements;
}

}  // namespace elmx
