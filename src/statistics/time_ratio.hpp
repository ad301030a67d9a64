#pragma once

#include <optional>
#include <vector>

#include "base/nan.hpp"
#include "statistics/summary.hpp"

namespace elmx {

/// The times of two things in one trial. Of as many, entry r of both was measured in round r, one after the
/// other.
struct TimesOfTrial {
  std::vector<double> a, b;
};

struct Ratio {
  double value = 0;
  std::optional<Interval> interval;  ///< 95 %; none where there are fewer than two independent measurements
  std::size_t trials = 0;            ///< in which both were measured
  double log_error = nan;            ///< standard error of log(value); NaN where there is no interval
  double freedom = nan;              ///< its degrees of freedom; NaN where log_error is 0
};

/// Estimates the ratio of the time of a to that of b. The rounds of a trial have in common where its memory
/// lies and what runs beside it: trials are independent measurements, rounds are not. So a trial counts once,
///
///     d = median over its rounds of log(a_r / b_r)
///
/// and of n trials the ratio is exp(mean d), its interval exp(mean d +- h),
///
///     h = t sqrt(v + c^2),   v = sd(d)^2 / n,   t with (n - 1) ((v + c^2) / v)^min(2, (n - 1) / 2) degrees of freedom.
///
/// c is what the trials of one run have in common and none of them can tell: another run has other ratios. Of
/// a single trial the rounds are cut into n = 5 to 10 runs of neighbours, each of which counts once, and c is
/// that of a trial. Times that are not positive do not count. NaN where nothing is left. Where all d are
/// equal, h = 0.
///
/// B. L. Welch, Biometrika 34, 1947 (degrees of freedom of a sum, with an exponent of 2, which is too sure
/// for n = 2 and 3); Law, Simulation Modeling and Analysis, 4th ed., sec. 9.5.3 (batch means); A. Georges, D.
/// Buytaert, L. Eeckhout, OOPSLA 2007 (trials, not their iterations, are independent).
Ratio time_ratio(const std::vector<TimesOfTrial>& trials);

/// c of several trials and of a single one: standard deviations over runs, as scripts/interval_coverage.py
/// measured them in 160 and 80 runs.
inline constexpr double kOfRuns = 0.025, kOfSingleTrial = 0.05;

/// Counts the outliers among several times of the same thing:
///
///     |x - median| > 14.826 m,   m = median of |x - median|, at least 1 % of the median
///
/// (modified z-scores of Iglewicz and Hoaglin with the bound of hyperfine). None of fewer than ten times.
std::size_t count_outliers(const std::vector<double>& seconds);

/// True if the first of several times, at least three, is more than twice as long as each of the others.
bool slow_at_first(const std::vector<double>& seconds);

}  // namespace elmx
