#include "published/verdicts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/printable.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

struct VerdictInfo {
  const char* text;
  std::size_t VerdictCounts::*count;
};

/// In the order of Verdict.
constexpr std::array<VerdictInfo, 6> kVerdicts{{{"agrees", &VerdictCounts::agree},
                                                {"disagrees", &VerdictCounts::disagree},
                                                {"tie", &VerdictCounts::tied},
                                                {"undecided", &VerdictCounts::undecided},
                                                {"NA", &VerdictCounts::not_available},
                                                {"shown", &VerdictCounts::shown}}};

const VerdictInfo& info_of(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

/// Where measured has to be: at most (upper) or at least times * published + offset.
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

/// Returns true if the runs of the paper, with the spread that it prints, are compared with ours.
bool of_two_samples(const PaperCell& cell) {
  return cell.published_sd && cell.measured.kind == MeasuredKind::mean && !cell.measured.over;
}

KnownMean published_mean(const PaperCell& cell) {
  return {*cell.published, *cell.published_sd, cell.published_runs, !cell.published_folds};
}

/// How far measured is on the right side of the bound; a number that is at it but for rounding is within.
Estimate margin_of(const PaperCell& cell, const Estimate& measured, const Bound& bound) {
  const double limit = bound.limit(*cell.published), sign = bound.upper ? -1 : 1;
  if (cell.measured.kind == MeasuredKind::epochs_to_reach && !cell.measured.over)
    return shifted(epochs_beyond(cell.measured, limit).value_or(measured), sign, 0);
  if (is_ratio_of_times(cell.measured))
    return shifted(measured, sign, -sign * (limit > 0 ? std::log(limit) : -std::numeric_limits<double>::infinity()));
  if (of_two_samples(cell))
    return shifted(minus_known_mean(measured, bound.times, published_mean(cell)), sign, -sign * bound.offset);
  Estimate margin = shifted(measured, sign, -sign * limit);
  if (margin.variance == 0 && equal_but_for_rounding(measured.value, limit))
    margin.value = std::max(margin.value, std::numeric_limits<double>::min());
  return margin;
}

Judgement verdict_of(bool agrees) { return {agrees ? Verdict::agrees : Verdict::disagrees}; }

Judgement judge_value(const PaperCell& cell) {
  const std::vector<Bound> bounds = bounds_of(cell.rule, *cell.published);
  const std::optional<Estimate> estimate = estimate_of(cell.measured);
  const bool alike = !estimate || estimate->runs < 2 || (estimate->variance == 0 && estimate->coins > 0);
  if ((cell.rule.exact || is_over_itself(cell.measured)) && alike) {
    return verdict_of(std::ranges::all_of(bounds, [&](const Bound& bound) {
      const double limit = bound.limit(*cell.published), measured = *cell.measured.value;
      return (bound.upper ? measured <= limit : measured >= limit) || equal_but_for_rounding(measured, limit);
    }));
  }
  if (!estimate) return {Verdict::undecided};
  constexpr double level = kVerdictLevel / 2;
  std::vector<Judgement> parts;
  for (const Bound& bound : bounds) {
    const Estimate margin = margin_of(cell, *estimate, bound);
    const bool missed = p_above_zero(shifted(margin, -1, 0)) <= level, met = p_above_zero(margin) <= level;
    const Verdict verdict = missed ? Verdict::disagrees : met ? Verdict::agrees : Verdict::undecided;
    parts.push_back({verdict, missed || met ? std::nullopt : more_runs(margin, level), margin.value < 0});
  }
  return together(parts);
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
  if (rule == "diverges" && cell.measured.failed > 0) return {Verdict::agrees};
  if (!cell.measured.value) return {Verdict::not_available};
  return cell.published ? judge_value(cell) : Judgement{Verdict::shown};
}

}  // namespace

void VerdictCounts::add(Verdict verdict, bool with_reason) {
  ++(this->*info_of(verdict).count);
  explained += with_reason;
}

VerdictCounts& VerdictCounts::operator+=(const VerdictCounts& other) {
  for (const VerdictInfo& info : kVerdicts) this->*info.count += other.*info.count;
  explained += other.explained;
  return *this;
}

const char* to_string(Verdict verdict) { return info_of(verdict).text; }

std::optional<Verdict> verdict_in(const std::string& text) {
  const auto found = std::ranges::find_if(kVerdicts, [&](const auto& info) { return text.starts_with(info.text); });
  return found == kVerdicts.end() ? std::nullopt : std::optional(static_cast<Verdict>(found - kVerdicts.begin()));
}

bool is_unmet(Verdict verdict) { return verdict == Verdict::disagrees || verdict == Verdict::not_available; }

std::optional<Interval> interval_of(const PaperCell& cell, const Estimate& measured) {
  if (of_two_samples(cell) && cell.published) {
    const Estimate difference = minus_known_mean(measured, 1, published_mean(cell));
    return interval_of(shifted(difference, 1, *cell.published));
  }
  const std::optional<Interval> interval = interval_of(measured);
  if (!interval || !is_ratio_of_times(cell.measured)) return interval;
  return Interval{std::exp(interval->low), std::exp(interval->high)};
}

std::string verdict_text(const Judgement& judgement) {
  std::string text = to_string(judgement.verdict);
  if (judgement.verdict != Verdict::undecided) return text;
  if (!judgement.more) return text + ", more runs would not do";
  return text + (judgement.more->at_least ? ", at least " : ", about ") + counted(judgement.more->runs, "more run");
}

std::vector<Judgement> judge(const std::vector<PaperCell>& cells) {
  std::vector<Judgement> judgements = judge_orders(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!is_order(cells[i].rule)) judgements[i] = judge_alone(cells[i]);
  }
  return judgements;
}

}  // namespace elmx
