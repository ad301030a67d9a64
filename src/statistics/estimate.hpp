#pragma once

#include <armadillo>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/nan.hpp"
#include "statistics/summary.hpp"
#include "statistics/time_ratio.hpp"

namespace elmx {

/// What n independent runs say of a number: normal about the truth, its variance estimated with some degrees
/// of freedom; and what the variance would be after N runs with the spread that was found,
///
///     v (1/N + shared) + fixed      of N - 1 + other_freedom degrees for v
///
/// where `fixed` is what no further run makes less, of fixed_freedom degrees (infinite: it is known).
struct Estimate {
  double value = 0;
  arma::uword runs = 0;
  double variance = nan;  ///< of value; NaN: nothing is known of the spread; 0: there is none to reckon with
  double freedom = nan;
  arma::uword coins = 0;  ///< where the variance is 0: runs that say the same, each by itself

  double v = nan;  ///< variance of one run
  double shared = 0;
  double other_freedom = 0;
  double fixed = 0;
  double fixed_freedom = std::numeric_limits<double>::infinity();
  arma::uword least_runs = 2;  ///< with fewer the formula above does not hold
};

/// The mean of runs of which each has a value a fold (one fold: no folds). Runs are independent; the folds of
/// a run are not, for their training parts overlap. So
///
///     at least three runs, or runs of one fold:  the mean of the n means of the runs, s^2 / n     s: of these means
///     one or two runs of k folds:                the mean of all n k values, s^2 (1 / (n k) + 1 / (k - 1))
///
/// The second is the correction of Nadeau and Bengio (t_test) for test_over_train = 1 / (k - 1).
Estimate estimate_of_runs(const std::vector<std::vector<double>>& folds_of_runs);

/// A statistic of n runs that is no mean, by the jackknife: `without(i)` is the statistic without run i,
///
///     variance = (n - 1) / n sum (without(i) - mean of these)^2
///
/// 0 where all of these are the value itself; they are no coins, for any two of them share n - 2 runs. Else
/// no variance where one of them is missing or infinite.
Estimate jackknife(double value, arma::uword runs, const std::function<std::optional<double>(arma::uword)>& without);

/// A statistic of n runs, of which each has one of its own, `of_run(i)`: n coins where all lie on the side of
/// 0 on which the value is, none where one does not. No variance where one is missing.
Estimate coins(double value, arma::uword runs, const std::function<std::optional<double>(arma::uword)>& of_run);

/// log of a ratio of times. What the trials of one run have in common (kOfRuns) stays however many they are.
Estimate log_estimate(const Ratio& ratio);

/// The mean of two or more independent runs that are not at hand.
struct KnownMean {
  double mean = 0;
  double sd = 0;  ///< of one run
  arma::uword runs = 0;
  /// false: a run is something else than here, a fold say, and has a spread of its own
  bool same_kind = true;
};

/// estimate - times * other. Runs of the same kind have the same spread unless that of the estimate is
/// greater (F test, p < 0.1): Student's test of two samples, which needs one run here only. Otherwise each
/// spread counts for its own runs: Welch's test.
Estimate minus_known_mean(const Estimate& estimate, double times, const KnownMean& other);

/// offset + factor * value.
Estimate shifted(Estimate estimate, double factor, double offset);

/// P of a value so far above 0 if the truth were 0 or below; of n coins 2^-n. NaN where nothing is known of
/// the spread.
double p_above_zero(const Estimate& estimate);

/// value +- t sqrt(variance) with P(|T| > t) = alpha; none where the variance is unknown or 0.
std::optional<Interval> interval_of(const Estimate& estimate, double alpha = 0.05);

struct MoreRuns {
  arma::uword runs = 0;
  bool at_least = false;  ///< the runs at hand do not tell how many
};

/// The least number of further runs after which an estimate that stays as it is, value and spread, is told
/// from 0 on its side with p <= level, to two digits. None: no number of runs, or more than a million.
std::optional<MoreRuns> more_runs(const Estimate& estimate, double level);

}  // namespace elmx
