#include "published/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "published/epochs_to_reach.hpp"
#include "results/quantities.hpp"
#include "statistics/ties.hpp"
#include "tables/matched_rows.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {
namespace {

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

std::optional<double> value_of(const Measurement& what) {
  if (what.row == nullptr) return std::nullopt;
  switch (what.kind) {
    case MeasuredKind::speed_up:
      return finite(time_ratio(times_of_trials(matched_steps({what.reference, what.row}), what.quantity)).value);
    case MeasuredKind::epochs_to_reach:
      return what.reference == nullptr ? std::nullopt : epochs_to_reach(*what.row, *what.reference);
    case MeasuredKind::mean:
      return finite(summary_of(*what.row, what.quantity).mean);
    case MeasuredKind::sd:
      return finite(summary_of(*what.row, what.quantity).sd);
  }
  return std::nullopt;
}

std::optional<double> divided(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && *b != 0 && std::isfinite(*b) ? finite(*a / *b) : std::nullopt;
}

/// 0 also of two epochs that are not reached.
double minus(double a, double b) { return a == b ? 0 : a - b; }

bool plain_mean(const Measurement& what) { return what.kind == MeasuredKind::mean && what.over == nullptr; }

bool plain_time(const Measurement& what) { return plain_mean(what) && is_time(what.quantity); }

using Repeats = std::vector<arma::uword>;

/// The repeats that all rows of the measurements have, less those in which every row repeats an earlier
/// observation.
Repeats common_repeats(std::initializer_list<const Measurement*> measurements) {
  std::map<arma::uword, std::size_t> rows_with;  // of each repeat
  std::set<arma::uword> fresh;
  std::size_t rows = 0;
  const auto add = [&](const RecordRow* row, const std::string& quantity) {
    if (row == nullptr) return;
    std::set<arma::uword> repeats;
    for (const RecordedStep& step : row->steps) repeats.insert(step.repeat);
    for (const arma::uword repeat : repeats) ++rows_with[repeat];
    for (const RecordedStep& step : observations(row->steps, quantity)) fresh.insert(step.repeat);
    ++rows;
  };
  for (const Measurement* what : measurements) {
    for (; what != nullptr; what = what->over.get()) {
      add(what->row, what->quantity);
      add(what->reference, what->quantity);
    }
  }
  Repeats repeats;
  for (const auto& [repeat, count] : rows_with) {
    if (count == rows && fresh.contains(repeat)) repeats.push_back(repeat);
  }
  return repeats;
}

using OfRepeat = std::function<bool(arma::uword)>;

RecordRow restricted(RecordRow row, const OfRepeat& kept) {
  std::erase_if(row.steps, [&](const RecordedStep& step) { return !kept(step.repeat); });
  return row;
}

/// The value as it would be with these repeats alone.
std::optional<double> value_of_repeats(const Measurement& what, const OfRepeat& kept) {
  if (what.row == nullptr) return std::nullopt;
  Measurement less = what;
  const RecordRow row = restricted(*what.row, kept);
  less.row = &row;
  std::optional<RecordRow> reference;
  if (what.reference != nullptr) {
    reference = restricted(*what.reference, kept);
    less.reference = &*reference;
  }
  const std::optional<double> value = value_of(less);
  return what.over == nullptr ? value : divided(value, value_of_repeats(*what.over, kept));
}

std::optional<double> value_of_all(const Measurement& what, const Repeats& repeats) {
  return value_of_repeats(what, [&](arma::uword one) { return std::ranges::binary_search(repeats, one); });
}

std::optional<double> value_without(const Measurement& what, Repeats repeats, arma::uword i) {
  repeats.erase(repeats.begin() + static_cast<std::ptrdiff_t>(i));
  return value_of_all(what, repeats);
}

std::optional<double> value_of_repeat(const Measurement& what, arma::uword repeat) {
  return value_of_repeats(what, [&](arma::uword one) { return one == repeat; });
}

/// The left-out values of a jackknife without a variance are no coins; runs are, that by themselves are all
/// alike.
Estimate alike_as_coins(Estimate estimate, const std::function<std::optional<double>(arma::uword)>& of_run) {
  if (estimate.variance != 0) return estimate;
  estimate.coins = estimate.runs;
  for (arma::uword i = 0; i < estimate.runs; ++i) {
    const std::optional<double> one = of_run(i);
    if (!one || !equal_but_for_rounding(*one, estimate.value)) estimate.coins = 0;
  }
  return estimate;
}

/// Runs as coins about the limit.
Estimate coins_about(double limit, double all, arma::uword runs,
                     const std::function<std::optional<double>(arma::uword)>& of_run) {
  return coins(all - limit, runs, [&](arma::uword i) {
    const std::optional<double> one = of_run(i);
    return one ? std::optional(*one - limit) : std::nullopt;
  });
}

/// One list a repeat, one value a fold.
using ValuesOfRuns = std::map<arma::uword, std::vector<double>>;

Estimate estimate_of_values(const ValuesOfRuns& values) {
  std::vector<std::vector<double>> runs;
  for (const auto& [repeat, of_run] : values) runs.push_back(of_run);
  return estimate_of_runs(runs);
}

std::optional<Estimate> difference_of_means(const Measurement& a, const Measurement& b) {
  std::vector<arma::uword> repeats;
  std::vector<double> of_a, of_b;
  const MatchedSteps steps = observations(matched_steps({a.row, b.row}), a.quantity);
  for (std::size_t i = 0; i < steps[0].size(); ++i) {
    const auto value_a = value_of(*steps[0][i], a.quantity), value_b = value_of(*steps[1][i], b.quantity);
    if (!value_a || !value_b) continue;
    repeats.push_back(steps[0][i]->repeat);
    of_a.push_back(*value_a);
    of_b.push_back(*value_b);
  }
  if (repeats.empty()) return std::nullopt;
  const std::vector<double> differences = differences_of(of_b, of_a);
  ValuesOfRuns values;
  for (std::size_t i = 0; i < repeats.size(); ++i) values[repeats[i]].push_back(differences[i]);
  return estimate_of_values(values);
}

std::optional<Estimate> of_times(const std::vector<TimesOfTrial>& trials) {
  const Ratio ratio = time_ratio(trials);
  return ratio.value > 0 ? std::optional(log_estimate(ratio)) : std::nullopt;
}

}  // namespace

Measurement with_value(Measurement what) {
  what.value = value_of(what);
  return what;
}

Measurement quotient(Measurement what, const Measurement& over) {
  what.over = std::make_shared<const Measurement>(over);
  what.value = divided(what.value, over.value);
  if (!what.value) return what;
  if (is_ratio_of_times(what))
    what.value = finite(time_ratio(times_of_trials(matched_steps({what.row, over.row}), what.quantity)).value);
  else if (const Repeats both = common_repeats({&what}); !both.empty())
    what.value = value_of_all(what, both);
  return what;
}

bool is_ratio_of_times(const Measurement& what) {
  if (what.kind == MeasuredKind::speed_up) return what.over == nullptr;
  return what.kind == MeasuredKind::mean && what.over != nullptr && plain_time(*what.over) &&
         what.quantity == what.over->quantity;
}

std::size_t times_apart(const Measurement& what) {
  if (!is_ratio_of_times(what)) return 0;
  return what.over ? times_apart(matched_steps({what.row, what.over->row}))
                   : times_apart(matched_steps({what.reference, what.row}));
}

bool is_over_itself(const Measurement& what) {
  if (what.kind == MeasuredKind::speed_up && what.over == nullptr) return what.row == what.reference;
  return what.over != nullptr && what.over->kind == what.kind && what.over->row == what.row &&
         what.over->quantity == what.quantity && what.over->reference == what.reference;
}

bool differ_by_a_ratio(const Measurement& a, const Measurement& b) {
  if (a.quantity != b.quantity || a.kind != b.kind || a.reference != b.reference) return false;
  if (a.over != nullptr && b.over != nullptr && a.over->row != b.over->row) return false;
  return (plain_time(a) && plain_time(b)) || (is_ratio_of_times(a) && is_ratio_of_times(b));
}

std::optional<Estimate> estimate_of(const Measurement& what) {
  if (!what.value) return std::nullopt;
  if (is_ratio_of_times(what)) {
    return what.over ? of_times(times_of_trials(matched_steps({what.row, what.over->row}), what.quantity))
                     : of_times(times_of_trials(matched_steps({what.reference, what.row}), what.quantity));
  }
  if (!plain_mean(what)) {
    const Repeats repeats = common_repeats({&what});
    const std::optional<double> all = value_of_all(what, repeats);
    if (!all) return std::nullopt;
    const Estimate estimate =
        jackknife(*all, repeats.size(), [&](arma::uword i) { return value_without(what, repeats, i); });
    return alike_as_coins(estimate, [&](arma::uword i) { return value_of_repeat(what, repeats[i]); });
  }
  ValuesOfRuns values;
  for (const RecordedStep& step : observations(what.row->steps, what.quantity)) {
    if (const auto value = value_of(step, what.quantity)) values[step.repeat].push_back(*value);
  }
  return estimate_of_values(values);
}

std::optional<Estimate> epochs_beyond(const Measurement& what, double limit) {
  const Repeats repeats = common_repeats({&what});
  const std::optional<double> all = value_of_all(what, repeats);
  if (!all) return std::nullopt;
  return coins_about(limit, *all, repeats.size(), [&](arma::uword i) { return value_of_repeat(what, repeats[i]); });
}

std::optional<Estimate> margin_between(const Measurement& a, const Measurement& b, double threshold) {
  const auto beyond = [&](const std::optional<Estimate>& estimate) {
    return estimate ? std::optional(shifted(*estimate, 1, -threshold)) : std::nullopt;
  };
  if (!a.value || !b.value) return std::nullopt;
  if (differ_by_a_ratio(a, b)) {
    const bool speed = a.kind == MeasuredKind::speed_up;  // the faster takes less time
    return beyond(speed ? of_times(times_of_trials(matched_steps({b.row, a.row}), a.quantity))
                        : of_times(times_of_trials(matched_steps({a.row, b.row}), a.quantity)));
  }
  if (plain_mean(a) && plain_mean(b)) return beyond(difference_of_means(a, b));
  const auto difference = [](std::optional<double> of_a, std::optional<double> of_b) {
    return of_a && of_b ? std::optional(minus(*of_a, *of_b)) : std::nullopt;
  };
  const Repeats repeats = common_repeats({&a, &b});
  const std::optional<double> all = difference(value_of_all(a, repeats), value_of_all(b, repeats));
  if (repeats.empty() || !all) return std::nullopt;
  const auto of_run = [&](arma::uword i) {
    return difference(value_of_repeat(a, repeats[i]), value_of_repeat(b, repeats[i]));
  };
  // An epoch jumps, so that what is left out does not tell its spread; each run has an epoch of its own.
  if (a.kind == MeasuredKind::epochs_to_reach) return coins_about(threshold, *all, repeats.size(), of_run);
  const Estimate estimate = jackknife(*all, repeats.size(), [&](arma::uword i) {
    return difference(value_without(a, repeats, i), value_without(b, repeats, i));
  });
  return beyond(alike_as_coins(estimate, of_run));
}

}  // namespace elmx
