#pragma once

#include <optional>
#include <vector>

#include "base/numbers.hpp"
#include "statistics/summary.hpp"

namespace elmx {

/// The times of two algorithms in one trial. If both have the same number of entries, entry r of both was
/// measured in round r, one after the other.
struct TimesOfTrial {
  std::vector<double> a, b;
};

struct Ratio {
  double value = 0;
  std::optional<Interval> interval;  ///< 95 %; none if there are fewer than two independent measurements
  std::size_t trials = 0;            ///< trials in which both were measured
  double log_error = nan;            ///< standard error of log(value); NaN if there is no interval
  double freedom = nan;              ///< its degrees of freedom; NaN if log_error is 0
};

/// Estimates the ratio of the times of a and b. The rounds of a trial share the memory layout and the load of
/// the machine: trials are independent measurements, rounds are not. Each trial therefore counts once,
///
///     d = median over its rounds of log(a_r / b_r)
///
/// For n trials the ratio is exp(mean d), its interval exp(mean d +- h),
///
///     h = t sqrt(v + c^2),   v = sd(d)^2 / n
///     t with (n - 1) ((v + c^2) / v)^min(2, (n - 1) / 2) degrees of freedom
///
/// c is the error that all trials of one run share and that they cannot show: another run has other ratios.
/// The rounds of a single trial are cut into n = 5 to 10 batches of neighbours that count once each, and c
/// has its value for a single trial. Trials are ignored if a time or a ratio is not positive and finite. The
/// ratio is NaN if no trial is left. If all d are equal, h = 0.
///
/// B. L. Welch, Biometrika 34, 1947 (degrees of freedom of a sum, with an exponent of 2, which is too
/// optimistic for n = 2 and 3); Law, Simulation Modeling and Analysis, 4th ed., sec. 9.5.3 (batch means); A.
/// Georges, D. Buytaert, L. Eeckhout, OOPSLA 2007 (trials, not their iterations, are independent).
Ratio time_ratio(const std::vector<TimesOfTrial>& trials);

/// The constant c for several trials and for a single one: standard deviations over 160 and 80 runs, measured
/// by scripts/interval_coverage.py.
inline constexpr double kOfRuns = 0.025, kOfSingleTrial = 0.05;

/// Counts the outliers among several times of the same task:
///
///     |x - median| > 14.826 m,   m = median of |x - median|, at least 1 % of the median
///
/// (modified z-scores of Iglewicz and Hoaglin with the bound of hyperfine). Fewer than ten times have no
/// outliers.
std::size_t count_outliers(const std::vector<double>& seconds);

/// Returns true if the first of at least three times is more than twice as long as each of the others.
bool slow_at_first(const std::vector<double>& seconds);

}  // namespace elmx
