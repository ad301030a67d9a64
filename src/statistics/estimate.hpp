#pragma once

#include <armadillo>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/numbers.hpp"
#include "statistics/summary.hpp"
#include "statistics/time_ratio.hpp"

namespace elmx {

/// The estimate of a number from n independent runs: normal about the true value, its variance estimated with
/// some degrees of freedom. The variance after N runs with the present spread would be
///
///     v (1/N + shared) + fixed      v has N - 1 + other_freedom degrees of freedom
///
/// Further runs do not reduce `fixed`, which has fixed_freedom degrees of freedom (infinite: it is known).
struct Estimate {
  double value = 0;
  arma::uword runs = 0;
  double variance = nan;  ///< variance of value; NaN: the spread is unknown; 0: there is none to account for
  double freedom = nan;
  arma::uword agreeing_runs = 0;  ///< if the variance is 0: number of independent runs with the same outcome

  double v = nan;  ///< variance of one run
  double shared = 0;
  double other_freedom = 0;
  double fixed = 0;
  double fixed_freedom = std::numeric_limits<double>::infinity();
  arma::uword least_runs = 2;  ///< the formula above needs at least this many runs
};

/// Estimates the mean of runs that each have one value per fold (one fold: no folds). Runs are independent;
/// the folds of a run are not, because their training parts overlap. The estimate is therefore
///
///     at least three runs, or runs of one fold:  the mean of the n means of the runs, s^2 / n (of the means)
///     one or two runs of k folds:                the mean of all n k values, s^2 (1 / (n k) + 1 / (k - 1))
///
/// The second is the correction of Nadeau and Bengio (t_test) for test_over_train = 1 / (k - 1).
Estimate estimate_of_runs(const std::vector<std::vector<double>>& folds_of_runs);

/// Estimates a statistic of n runs that is not a mean by the jackknife: `without(i)` is the statistic without
/// run i,
///
///     variance = (n - 1) / n sum (without(i) - mean of these)^2
///
/// The variance is 0 if all without(i) equal the value; `agreeing_runs` is then 0, because any two of them
/// share n - 2 runs. Otherwise the variance is unknown if a without(i) is missing or infinite.
Estimate jackknife(double value, arma::uword runs, const std::function<std::optional<double>(arma::uword)>& without);

/// Estimates the sign of a statistic of n runs by a sign test, if each run has a statistic `of_run(i)` of its
/// own: n agreeing runs if all lie on the same side of 0 as the value, otherwise none. The variance is
/// unknown if one is missing.
Estimate sign_test(double value, arma::uword runs, const std::function<std::optional<double>(arma::uword)>& of_run);

/// Returns the log of a ratio of times. The part that the trials of one run share (kOfRuns) is fixed for any
/// number of trials.
Estimate log_estimate(const Ratio& ratio);

/// The published mean of two or more independent runs.
struct KnownMean {
  double mean = 0;
  double sd = 0;  ///< standard deviation of one run
  arma::uword runs = 0;
  /// false: a run is something else than here, such as a fold, and has a spread of its own
  bool same_kind = true;
};

/// Returns estimate - times * other. Runs of the same kind have the same spread unless the spread of the
/// estimate is greater (F test, p < 0.1): Student's test of two samples, which needs only one run here.
/// Otherwise each spread counts for its own runs: Welch's test.
Estimate minus_known_mean(const Estimate& estimate, double times, const KnownMean& other);

/// Returns offset + factor * value.
Estimate shifted(Estimate estimate, double factor, double offset);

/// Returns the probability of a value this far above 0 if the true value were 0 or below; for n agreeing runs
/// 2^-n. NaN if the spread is unknown.
double p_above_zero(const Estimate& estimate);

/// Returns value +- t sqrt(variance) with P(|T| > t) = alpha; none if the variance is unknown or 0.
std::optional<Interval> interval_of(const Estimate& estimate, double alpha = 0.05);

struct MoreRuns {
  arma::uword runs = 0;
  bool at_least = false;  ///< the present runs do not determine how many
};

/// Returns the least number of further runs, to two digits, after which an estimate with unchanged value and
/// spread differs from 0 on its side with p <= level. None: no number of runs, or more than a million.
std::optional<MoreRuns> more_runs(const Estimate& estimate, double level);

}  // namespace elmx
