#include "statistics/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "statistics/summary.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

constexpr arma::uword kMostRuns = 1000000;
constexpr double kGreaterSpread = 0.1;

double square(double x) { return x * x; }

bool all_alike(const std::vector<double>& values) {
  return std::ranges::all_of(values, [&](double value) { return equal_but_for_rounding(value, values.front()); });
}

/// Returns the means; a mean within the rounding error of its sum becomes 0, as for folds that cancel.
std::vector<double> without_rounding(std::vector<double> means, const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(values.size()) * largest;
  for (double& mean : means) {
    if (std::isfinite(rounding) && std::abs(mean) <= rounding) mean = 0;
  }
  return means;
}

struct Forecast {
  double variance, freedom;
};

/// Returns variance and freedom after N runs. A fixed part that is known uses the exponent of time_ratio.
Forecast forecast(const Estimate& e, double N) {
  const double of_runs = e.v * (1 / N + e.shared), freedom = N - 1 + e.other_freedom;
  const double variance = of_runs + e.fixed;
  if (e.fixed == 0) return {variance, freedom};
  if (std::isinf(e.fixed_freedom))
    return {variance, freedom * std::pow(variance / of_runs, std::min(2.0, freedom / 2))};
  return {variance, square(variance) / (square(of_runs) / freedom + square(e.fixed) / e.fixed_freedom)};
}

/// Sets variance and freedom by the formula for the present runs.
Estimate with_forecast(Estimate e) {
  const Forecast f = forecast(e, static_cast<double>(e.runs));
  e.variance = f.variance;
  e.freedom = f.freedom;
  return e;
}

}  // namespace

Estimate estimate_of_runs(const std::vector<std::vector<double>>& folds_of_runs) {
  std::vector<double> means, values;
  std::size_t folds = 0;
  for (const std::vector<double>& of_run : folds_of_runs) {
    if (of_run.empty()) continue;
    means.push_back(summary_of(of_run).mean);
    values.insert(values.end(), of_run.begin(), of_run.end());
    folds = std::max(folds, of_run.size());
  }
  const bool of_means_alone = means.size() >= 3 || folds == 1;
  const double mean = summary_of(of_means_alone ? means : values).mean;
  Estimate e{.value = without_rounding({mean}, values).front(), .runs = means.size()};
  if (values.size() < 2) return e;
  means = without_rounding(std::move(means), values);
  if (all_alike(values) || (of_means_alone && all_alike(means))) {
    e.variance = 0;
    e.agreeing_runs = e.runs;
    return e;
  }
  e.v = square(summary_of(of_means_alone ? means : values).sd);
  if (of_means_alone) return with_forecast(e);
  const auto n = static_cast<double>(values.size()), k = static_cast<double>(folds);
  e.variance = e.v * (1 / n + 1 / (k - 1));
  e.freedom = n - 1;
  e.v *= 1 / k + 1 / (k - 1);
  e.least_runs = 3;
  return e;
}

Estimate jackknife(double value, arma::uword runs, const std::function<std::optional<double>(arma::uword)>& without) {
  Estimate e{.value = value, .runs = runs};
  if (runs < 2) return e;
  std::vector<double> left_out;
  for (arma::uword i = 0; i < runs; ++i) {
    const std::optional<double> one = without(i);
    if (!one) return e;
    left_out.push_back(*one);
  }
  if (all_alike(left_out) && equal_but_for_rounding(left_out.front(), value)) {
    e.variance = 0;
    return e;
  }
  if (!std::ranges::all_of(left_out, [](double one) { return std::isfinite(one); }) || !std::isfinite(value)) return e;
  // Variance of the pseudo-values n value - (n - 1) without(i).
  e.v = square(static_cast<double>(runs - 1) * summary_of(left_out).sd);
  return with_forecast(e);
}

Estimate sign_test(double value, arma::uword runs, const std::function<std::optional<double>(arma::uword)>& of_run) {
  Estimate e{.value = value, .runs = runs};
  bool on_one_side = true;
  for (arma::uword i = 0; i < runs; ++i) {
    const std::optional<double> one = of_run(i);
    if (!one) return e;
    on_one_side = on_one_side && (*one > 0) == (value > 0) && (*one < 0) == (value < 0);
  }
  e.variance = 0;
  e.agreeing_runs = on_one_side ? runs : 0;
  return e;
}

Estimate log_estimate(const Ratio& ratio) {
  Estimate e{.value = std::log(ratio.value),
             .runs = ratio.trials,
             .variance = square(ratio.log_error),
             .freedom = ratio.freedom};
  e.agreeing_runs = e.variance == 0 ? e.runs : 0;
  if (!(e.variance > 0)) return e;
  e.fixed = square(kOfRuns);
  e.v = static_cast<double>(ratio.trials) * (e.variance - e.fixed);
  return e;
}

Estimate minus_known_mean(const Estimate& estimate, double times, const KnownMean& other) {
  Estimate e = shifted(estimate, 1, -times * other.mean);
  const double f = static_cast<double>(other.runs) - 1, known = square(other.sd);
  const double added = square(times) / static_cast<double>(other.runs);
  const bool of_runs = e.least_runs == 2;  // false for folds
  const auto own_freedom = static_cast<double>(e.runs) - 1;
  const double own = e.variance == 0 ? 0 : e.v;  // if all runs are equal, their spread is 0
  const bool greater = e.runs > 1 && fisher_upper(own / known, own_freedom, f) < kGreaterSpread;
  if (of_runs && other.same_kind && !greater) {
    e.v = ((e.runs > 1 ? own_freedom * own : 0) + f * known) / (own_freedom + f);
    e.shared = added;
    e.other_freedom = f;
    return with_forecast(e);
  }
  e.fixed = added * known;
  e.fixed_freedom = f;
  if (of_runs) {
    if (e.variance == 0) e.v = 0;
    return with_forecast(e);
  }
  const double variance = e.variance + e.fixed;
  e.freedom = square(variance) / (square(e.variance) / e.freedom + square(e.fixed) / f);
  e.variance = variance;
  return e;
}

Estimate shifted(Estimate estimate, double factor, double offset) {
  estimate.value = offset + factor * estimate.value;
  for (double* variance : {&estimate.variance, &estimate.v, &estimate.fixed}) *variance *= square(factor);
  return estimate;
}

double p_above_zero(const Estimate& e) {
  if (std::isnan(e.variance) || std::isnan(e.value)) return nan;
  if (e.variance == 0)
    return e.value > 0 ? std::ldexp(1.0, -static_cast<int>(std::min<arma::uword>(e.agreeing_runs, 1000))) : 1;
  const double tail = student_two_sided(e.value / std::sqrt(e.variance), e.freedom) / 2;
  return e.value > 0 ? tail : 1 - tail;
}

std::optional<Interval> interval_of(const Estimate& e, double alpha) {
  if (!(e.variance > 0)) return std::nullopt;
  const double half = student_bound(alpha, std::max(1.0, e.freedom)) * std::sqrt(e.variance);
  return Interval{e.value - half, e.value + half};
}

std::optional<MoreRuns> more_runs(const Estimate& e, double level) {
  if (std::isnan(e.variance)) return MoreRuns{e.least_runs > e.runs ? e.least_runs - e.runs : 1, true};
  if (e.value == 0 || std::isnan(e.value) || (e.variance == 0 && e.agreeing_runs == 0)) return std::nullopt;
  if (e.variance == 0) {
    const auto needed = static_cast<arma::uword>(std::ceil(-std::log2(level)));
    return MoreRuns{needed > e.agreeing_runs ? needed - e.agreeing_runs : 1, false};
  }
  const auto tells = [&](arma::uword runs) {
    const Forecast f = forecast(e, static_cast<double>(runs));
    return student_bound(2 * level, std::max(1.0, f.freedom)) * std::sqrt(f.variance) <= std::abs(e.value);
  };
  arma::uword few = std::max(e.least_runs, e.runs + 1) - 1, enough = few + 1;
  while (!tells(enough)) {
    if (enough > kMostRuns) return std::nullopt;
    few = enough;
    enough *= 2;
  }
  while (enough - few > 1) {
    const arma::uword middle = few + (enough - few) / 2;
    (tells(middle) ? enough : few) = middle;
  }
  arma::uword unit = 1;  // two digits, because the spread of some runs does not determine more
  while ((enough - e.runs) / unit >= 100) unit *= 10;
  return MoreRuns{(enough - e.runs + unit - 1) / unit * unit, false};
}

}  // namespace elmx
