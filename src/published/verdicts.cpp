#include "published/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/printable.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

/// The names of the verdicts, in the order of Verdict.
constexpr const char* kVerdicts[] = {"agrees", "level", "consistent", "contrary", "disagrees", "NA", "shown"};

/// A bound of measured: at most (upper) or at least times * published + offset.
struct Bound {
  double times = 1, offset = 0;
  bool upper = true;

  double limit(double published) const { return times * published + offset; }
};

std::vector<Bound> bounds_of(const PaperRule& rule, double published) {
  const double tolerance = rule.tolerance, sign = published < 0 ? -1 : 1;
  if (rule.rule == "relative") return {{1 + sign * tolerance, 0, true}, {1 - sign * tolerance, 0, false}};
  if (rule.rule == "absolute") return {{1, tolerance, true}, {1, -tolerance, false}};
  // published + (factor - 1) |published|
  if (rule.rule == "at_most_times") return {{1 + sign * (rule.factor - 1), 0, true}};
  if (rule.rule == "not_below") return {{1, -tolerance, false}};
  expects(rule.rule == "diverges", "bounds_of: a rule of PaperRule that compares numbers");
  return {{1, 0, false}};
}

/// Returns true if two samples are compared: measured is a mean, and the published spread is known.
bool of_two_samples(const PaperCell& cell) {
  return cell.known && cell.measured.kind == MeasuredKind::mean && !cell.measured.over;
}

/// Returns how far measured is on the right side of the bound; equality up to rounding is within.
Estimate margin_of(const PaperCell& cell, const Estimate& measured, const Bound& bound) {
  const double limit = bound.limit(*cell.published), sign = bound.upper ? -1 : 1;
  if (cell.measured.kind == MeasuredKind::epochs_to_reach && !cell.measured.over)
    return shifted(epochs_beyond(cell.measured, limit).value_or(measured), sign, 0);
  if (is_ratio_of_times(cell.measured))
    return shifted(measured, sign, -sign * (limit > 0 ? std::log(limit) : -std::numeric_limits<double>::infinity()));
  if (of_two_samples(cell))
    return shifted(minus_known_mean(measured, bound.times, *cell.known), sign, -sign * bound.offset);
  Estimate margin = shifted(measured, sign, -sign * limit);
  if (margin.variance == 0 && equal_but_for_rounding(measured.value, limit))
    margin.value = std::max(margin.value, std::numeric_limits<double>::min());
  return margin;
}

Judgement verdict_of(bool agrees) { return {agrees ? Verdict::agrees : Verdict::disagrees}; }

Judgement judge_value(const PaperCell& cell) {
  const std::vector<Bound> bounds = bounds_of(cell.rule, *cell.published);
  const std::optional<Estimate> estimate = estimate_of(cell.measured);
  const bool alike = !estimate || estimate->runs < 2 || (estimate->variance == 0 && estimate->agreeing_runs > 0);
  const bool itself_met = std::ranges::all_of(bounds, [&](const Bound& bound) {
    const double limit = bound.limit(*cell.published), measured = *cell.measured.value;
    return (bound.upper ? measured <= limit : measured >= limit) || equal_but_for_rounding(measured, limit);
  });
  if ((cell.rule.exact || is_over_itself(cell.measured)) && alike) return verdict_of(itself_met);
  if (!estimate) return open_judgement(itself_met, MoreRuns{1, true});
  constexpr double level = kVerdictLevel / 2;
  std::vector<Judgement> parts;
  for (const Bound& bound : bounds) {
    const Estimate margin = margin_of(cell, *estimate, bound);
    const bool missed = p_above_zero(shifted(margin, -1, 0)) <= level, met = p_above_zero(margin) <= level;
    parts.push_back(missed || met ? verdict_of(met) : open_judgement(margin.value >= 0, more_runs(margin, level)));
  }
  return together(parts);
}

/// Judges a divergence. One trial that failed, or that reached the published value at some time, is enough to
/// agree. If there is none, the largest values during the trials are compared with the published value.
Judgement judge_divergence(const PaperCell& cell) {
  if (cell.measured.failed > 0) return {Verdict::agrees};
  if (!cell.measured.value) return {Verdict::not_available};
  if (!cell.published) return {Verdict::shown};
  if (trials_that_reach(cell.measured, *cell.published) > 0) return {Verdict::agrees};
  PaperCell course = cell;
  course.measured = largest_of_course(cell.measured);
  return judge_value(course);
}

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
  if (rule == "diverges") return judge_divergence(cell);
  if (!cell.measured.value) return {Verdict::not_available};
  return cell.published ? judge_value(cell) : Judgement{Verdict::shown};
}

}  // namespace

void VerdictCounts::add(Verdict verdict, bool with_reason) {
  ++of[static_cast<std::size_t>(verdict)];
  explained += with_reason;
}

VerdictCounts& VerdictCounts::operator+=(const VerdictCounts& other) {
  for (std::size_t i = 0; i < of.size(); ++i) of[i] += other.of[i];
  explained += other.explained;
  return *this;
}

const char* to_string(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> verdict_in(const std::string& text) {
  const auto found = std::ranges::find_if(kVerdicts, [&](const char* name) { return text.starts_with(name); });
  return found == std::end(kVerdicts) ? std::nullopt : std::optional(static_cast<Verdict>(found - kVerdicts));
}

bool is_unmet(Verdict verdict) { return verdict == Verdict::disagrees || verdict == Verdict::not_available; }

Judgement of_scaled_down(const Judgement& found) {
  if (found.verdict == Verdict::level || found.verdict > Verdict::disagrees) return found;
  return {.verdict = std::clamp(found.verdict, Verdict::consistent, Verdict::contrary), .note = "scaled down"};
}

bool is_open(Verdict verdict) { return verdict == Verdict::consistent || verdict == Verdict::contrary; }

Judgement open_judgement(bool met, const std::optional<MoreRuns>& more) {
  if (met) return {Verdict::consistent, more};
  return {Verdict::contrary, more, more};
}

std::optional<Interval> interval_of(const PaperCell& cell, const Estimate& measured) {
  if (of_two_samples(cell)) {
    const Estimate difference = minus_known_mean(measured, 1, *cell.known);
    return interval_of(shifted(difference, 1, *cell.published));
  }
  const std::optional<Interval> interval = interval_of(measured);
  if (!interval || !is_ratio_of_times(cell.measured)) return interval;
  return Interval{std::exp(interval->low), std::exp(interval->high)};
}

std::string verdict_text(const Judgement& judgement) {
  std::string text = to_string(judgement.verdict);
  if (*judgement.note != '\0') return text + ", " + judgement.note;
  if (!is_open(judgement.verdict)) return text;
  if (!judgement.more) return text + ", more runs would not do";
  const std::string runs = counted(judgement.more->runs, "more run");
  return text + (judgement.more->at_least ? ", needs at least " + runs : ", about " + runs + " would decide");
}

std::vector<Judgement> judge(const std::vector<PaperCell>& cells) {
  std::vector<Judgement> judgements = judge_orders(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!is_order(cells[i].rule)) judgements[i] = judge_alone(cells[i]);
    if (cells[i].scaled_down) judgements[i] = of_scaled_down(judgements[i]);
  }
  return judgements;
}

}  // namespace elmx
