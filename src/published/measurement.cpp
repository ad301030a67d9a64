#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "published/paper_cells.hpp"
#include "report/frame/quantities.hpp"
#include "report/tables/matched_rows.hpp"
#include "report/tables/speed_ups.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

using Repeats = std::vector<std::size_t>;

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

/// Returns the mean training loss after each epoch of all trials; empty if a trial failed or has no trace.
std::vector<double> mean_losses(const RecordRow& row) {
  if (row.failed() > 0 || row.steps.empty()) return {};
  std::vector<const std::vector<double>*> traces;
  std::size_t epochs = std::numeric_limits<std::size_t>::max();
  for (const RecordedStep& recorded : row.steps) {
    const auto found = recorded.step->trace.find("train_loss");
    if (found == recorded.step->trace.end()) return {};
    traces.push_back(&found->second);
    epochs = std::min(epochs, found->second.size());
  }
  std::vector<double> means(epochs, 0.0);
  for (std::size_t e = 0; e < epochs; ++e) {
    for (const auto* trace : traces) means[e] += (*trace)[e] / static_cast<double>(traces.size());
  }
  return means;
}

std::optional<double> epochs_to_reach(const RecordRow& row, const RecordRow& reference) {
  const std::vector<double> losses = mean_losses(row), goal = mean_losses(reference);
  if (losses.empty() || goal.empty()) return std::nullopt;
  const auto reached = std::ranges::find_if(losses, [&](double loss) { return loss <= goal.back(); });
  if (reached == losses.end()) return std::numeric_limits<double>::infinity();
  return static_cast<double>(reached - losses.begin()) + 1;
}

/// Returns the largest value of the quantity in the traces and the steps of a trial up to the recorded step.
double peak_of(const RecordedStep& recorded, const std::string& quantity) {
  const auto identity = [](const StepRecord& step) { return std::tie(step.nodes, step.parameters, step.chosen); };
  const StepRecord& last = *recorded.step;
  double peak = -std::numeric_limits<double>::infinity();
  for (const StepRecord& step : recorded.record->steps) {
    if (identity(step) != identity(last) || step.iterations > last.iterations) continue;
    if (const auto value = step.metrics.find(quantity); value != step.metrics.end())
      peak = std::max(peak, value->second);
    if (const auto trace = step.trace.find(quantity); trace != step.trace.end()) {
      for (const double value : trace->second) peak = std::max(peak, value);
    }
  }
  return peak;
}

double mean_peak(const RecordRow& row, const std::string& quantity) {
  std::vector<double> peaks;
  for (const RecordedStep& step : observations(row.steps, quantity)) peaks.push_back(peak_of(step, quantity));
  return summary_of(peaks).mean;
}

bool plain_mean(const Measurement& what) { return what.kind == MeasuredKind::mean && what.over == nullptr; }

bool plain_time(const Measurement& what) { return plain_mean(what) && is_time(what.quantity); }

/// Returns the rows whose times form the ratio, the numerator first; empty for other values.
MatchedRows rows_of_ratio(const Measurement& what) {
  if (what.kind == MeasuredKind::speed_up && !what.over) return {what.reference, what.row};
  if (what.kind != MeasuredKind::mean || !what.over || !plain_time(*what.over)) return {};
  return what.quantity == what.over->quantity ? MatchedRows{what.row, what.over->row} : MatchedRows{};
}

Ratio ratio_of(const MatchedRows& rows, const std::string& time) {
  return time_ratio(times_of_trials(matched_steps(rows), time));
}

std::optional<Estimate> estimate_of_ratio(const MatchedRows& rows, const std::string& time) {
  const Ratio ratio = ratio_of(rows, time);
  return ratio.value > 0 ? std::optional(log_estimate(ratio)) : std::nullopt;
}

/// Returns the value before its division by Measurement::over.
std::optional<double> numerator_of(const Measurement& what) {
  if (what.row == nullptr) return std::nullopt;
  switch (what.kind) {
    case MeasuredKind::speed_up:
      return finite(ratio_of({what.reference, what.row}, what.quantity).value);
    case MeasuredKind::epochs_to_reach:
      return what.reference == nullptr ? std::nullopt : epochs_to_reach(*what.row, *what.reference);
    case MeasuredKind::mean:
      return finite(summary_of(*what.row, what.quantity).mean);
    case MeasuredKind::sd:
      return finite(summary_of(*what.row, what.quantity).sd);
    case MeasuredKind::peak:
      return finite(mean_peak(*what.row, what.quantity));
  }
  return std::nullopt;
}

std::optional<double> divided(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && *b != 0 && std::isfinite(*b) ? finite(*a / *b) : std::nullopt;
}

/// Returns the repeats common to all rows, except those in which every row repeats an earlier observation.
Repeats common_repeats(std::initializer_list<const Measurement*> measurements) {
  std::map<std::size_t, std::size_t> rows_with;  // by repeat
  std::set<std::size_t> fresh;
  std::size_t rows = 0;
  for (const Measurement* what : measurements) {
    for (; what != nullptr; what = what->over.get()) {
      for (const RecordRow* row : {what->row, what->reference}) {
        if (row == nullptr) continue;
        ++rows;
        std::set<std::size_t> repeats;
        for (const RecordedStep& step : row->steps) repeats.insert(step.repeat);
        for (const std::size_t repeat : repeats) ++rows_with[repeat];
        for (const RecordedStep& step : observations(row->steps, what->quantity)) fresh.insert(step.repeat);
      }
    }
  }
  Repeats repeats;
  for (const auto& [repeat, count] : rows_with) {
    if (count == rows && fresh.contains(repeat)) repeats.push_back(repeat);
  }
  return repeats;
}

/// Returns the value computed from these repeats only.
std::optional<double> value_with(const Measurement& what, const Repeats& repeats) {
  if (what.row == nullptr) return std::nullopt;
  RecordRow row = *what.row, reference = what.reference ? *what.reference : RecordRow{};
  for (RecordRow* one : {&row, &reference})
    std::erase_if(one->steps, [&](const RecordedStep& s) { return !std::ranges::binary_search(repeats, s.repeat); });
  Measurement less = what;
  less.row = &row;
  less.reference = what.reference ? &reference : nullptr;
  const std::optional<double> value = numerator_of(less);
  return what.over ? divided(value, value_with(*what.over, repeats)) : value;
}

/// Estimates a statistic minus the limit. A statistic that jumps is estimated by a sign test over the single
/// runs, because leaving out a run does not show its spread; others by the jackknife.
std::optional<Estimate> estimate_over(const Repeats& repeats, bool jumps, double limit,
                                      const std::function<std::optional<double>(const Repeats&)>& statistic) {
  const std::optional<double> all = statistic(repeats);
  if (!all) return std::nullopt;
  const auto of_run = [&](std::size_t i) { return statistic(Repeats{repeats[i]}); };
  if (jumps) {
    return sign_test(*all - limit, repeats.size(), [&](std::size_t i) {
      const std::optional<double> one = of_run(i);
      return one ? std::optional(*one - limit) : std::nullopt;
    });
  }
  Estimate estimate = jackknife(*all, repeats.size(), [&](std::size_t i) {
    Repeats others = repeats;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    return statistic(others);
  });
  // Leave-one-out values are not independent; single runs are, and count if all of them equal the value.
  if (estimate.variance == 0) {
    estimate.agreeing_runs = estimate.runs;
    for (std::size_t i = 0; i < estimate.runs; ++i) {
      const std::optional<double> one = of_run(i);
      if (!one || !equal_but_for_rounding(*one, *all)) estimate.agreeing_runs = 0;
    }
  }
  return shifted(estimate, 1, -limit);
}

/// Estimates the mean from values of folds; repeats[i]: the repeat of value i.
Estimate estimate_of_values(const Repeats& repeats, const std::vector<double>& values) {
  std::map<std::size_t, std::vector<double>> folds;
  for (std::size_t i = 0; i < values.size(); ++i) folds[repeats[i]].push_back(values[i]);
  std::vector<std::vector<double>> runs;
  for (const auto& [repeat, of_run] : folds) runs.push_back(of_run);
  return estimate_of_runs(runs);
}

std::optional<Estimate> difference_of_means(const Measurement& a, const Measurement& b) {
  Repeats repeats;
  std::vector<double> of_a, of_b;
  for (const MatchedTrial& trial : observations(matched_steps({a.row, b.row}), a.quantity)) {
    const auto value_a = value_of(*trial[0], a.quantity), value_b = value_of(*trial[1], b.quantity);
    if (!value_a || !value_b) continue;
    repeats.push_back(trial[0]->repeat);
    of_a.push_back(*value_a);
    of_b.push_back(*value_b);
  }
  return repeats.empty() ? std::nullopt : std::optional(estimate_of_values(repeats, differences_of(of_b, of_a)));
}

}  // namespace

Measurement with_value(Measurement what) {
  what.value = numerator_of(what);
  return what;
}

Measurement largest_of_course(Measurement what) {
  if (what.kind != MeasuredKind::mean || what.row == nullptr) return what;
  Measurement peak = what;
  peak.kind = MeasuredKind::peak;
  peak.value = numerator_of(peak);
  if (what.over) peak.value = divided(peak.value, what.over->value);
  return peak.value ? peak : what;
}

std::size_t trials_that_reach(const Measurement& what, double limit) {
  if (what.kind != MeasuredKind::mean || what.row == nullptr) return 0;
  if (what.over) limit *= what.over->value.value_or(std::numeric_limits<double>::infinity());
  return static_cast<std::size_t>(std::ranges::count_if(
      what.row->steps, [&](const RecordedStep& step) { return peak_of(step, what.quantity) >= limit; }));
}

Measurement quotient(Measurement what, const Measurement& over) {
  what.over = std::make_shared<const Measurement>(over);
  what.value = divided(what.value, over.value);
  if (!what.value) return what;
  if (is_ratio_of_times(what))
    what.value = finite(ratio_of(rows_of_ratio(what), what.quantity).value);
  else if (const Repeats both = common_repeats({&what}); !both.empty())
    what.value = value_with(what, both);
  return what;
}

bool is_ratio_of_times(const Measurement& what) { return !rows_of_ratio(what).empty(); }

std::size_t times_apart(const Measurement& what) {
  return is_ratio_of_times(what) ? times_apart(matched_steps(rows_of_ratio(what))) : 0;
}

bool is_over_itself(const Measurement& what) {
  if (what.over == nullptr) return what.kind == MeasuredKind::speed_up && what.row == what.reference;
  return what.over->kind == what.kind && what.over->row == what.row && what.over->quantity == what.quantity &&
         what.over->reference == what.reference;
}

bool differ_by_a_ratio(const Measurement& a, const Measurement& b) {
  if (a.quantity != b.quantity || a.kind != b.kind || a.reference != b.reference) return false;
  if (a.over != nullptr && b.over != nullptr && a.over->row != b.over->row) return false;
  return (plain_time(a) && plain_time(b)) || (is_ratio_of_times(a) && is_ratio_of_times(b));
}

std::optional<Estimate> estimate_of(const Measurement& what) {
  if (!what.value) return std::nullopt;
  if (is_ratio_of_times(what)) return estimate_of_ratio(rows_of_ratio(what), what.quantity);
  if (!plain_mean(what)) {
    return estimate_over(common_repeats({&what}), false, 0,
                         [&](const Repeats& repeats) { return value_with(what, repeats); });
  }
  Repeats repeats;
  std::vector<double> values;
  for (const RecordedStep& step : observations(what.row->steps, what.quantity)) {
    const auto value = value_of(step, what.quantity);
    if (!value) continue;
    repeats.push_back(step.repeat);
    values.push_back(*value);
  }
  return estimate_of_values(repeats, values);
}

std::optional<Estimate> epochs_beyond(const Measurement& what, double limit) {
  return estimate_over(common_repeats({&what}), true, limit,
                       [&](const Repeats& repeats) { return value_with(what, repeats); });
}

double larger_of(const Measurement& a, const Measurement& b) {
  const Repeats both = common_repeats({&a, &b});
  const auto size = [&](const Measurement& what) {
    const std::optional<double> value = both.empty() ? what.value : value_with(what, both);
    return std::abs(value.value_or(what.value.value_or(0)));
  };
  return std::max(size(a), size(b));
}

std::optional<Estimate> margin_between(const Measurement& a, const Measurement& b, double threshold) {
  if (!a.value || !b.value) return std::nullopt;
  const bool ratio = differ_by_a_ratio(a, b);
  if (!ratio && !(plain_mean(a) && plain_mean(b))) {
    const auto difference = [&](const Repeats& repeats) -> std::optional<double> {
      const auto x = value_with(a, repeats), y = value_with(b, repeats);
      // The difference is also 0 for epochs that are not reached (both infinite).
      return x && y ? std::optional(*x == *y ? 0 : *x - *y) : std::nullopt;
    };
    return estimate_over(common_repeats({&a, &b}), a.kind == MeasuredKind::epochs_to_reach, threshold, difference);
  }
  const bool speed = a.kind == MeasuredKind::speed_up;  // the faster one takes less time
  const std::optional<Estimate> difference =
      ratio ? estimate_of_ratio(speed ? MatchedRows{b.row, a.row} : MatchedRows{a.row, b.row}, a.quantity)
            : difference_of_means(a, b);
  return difference ? std::optional(shifted(*difference, 1, -threshold)) : std::nullopt;
}

}  // namespace elmx
