#pragma once

#include <armadillo>
#include <optional>
#include <vector>

namespace elmx {

/// A summary of n observations of one quantity.
struct Summary {
  double mean = 0;
  double sd = 0;  ///< sample standard deviation (n - 1 in the denominator); NaN if n < 2
  arma::uword n = 0;
};

/// Returns the summary of observations; NaN, NaN, 0 if there are none.
Summary summary_of(const std::vector<double>& observations);

/// Returns the summary of all observations behind several summaries, as if they had been made together. A
/// part with n = 1 may have any sd.
Summary pooled(const std::vector<Summary>& parts);

/// Returns the p-quantile by linear interpolation between the two ordered observations next to place (n - 1)
/// p, counted from 0: p = 0 is the least, 1/2 the median, 1 the greatest. NaN if n = 0.
double quantile(std::vector<double> observations, double p);

struct Interval {
  double low = 0;
  double high = 0;
};

/// Returns the interval that covers the mean of a normal population with probability 1 - alpha: mean +- t
/// sd / sqrt(n), P(|T| > t) = alpha with n - 1 degrees of freedom. None if n < 2.
std::optional<Interval> interval_of_mean(const Summary& summary, double alpha = 0.05);

// Tails of test distributions. Degrees of freedom need not be integers.

/// Returns P(|Z| > |z|), Z standard normal.
double normal_two_sided(double z);

/// Returns P(|T| > |t|) for Student's T.
double student_two_sided(double t, double freedom);

/// Returns P(F > f) for Fisher's F with d1 and d2 degrees of freedom.
double fisher_upper(double f, double d1, double d2);

/// Returns P(Q > q) for the range Q of k >= 2 standard normal variables (the studentised range with
/// infinitely many degrees of freedom):
///
///     P(Q <= q) = k integral phi(z) [Phi(z) - Phi(z - q)]^(k - 1) dz
///
/// The absolute error is below 1e-12.
double normal_range_upper(double q, unsigned k);

/// Returns t with P(|T| > t) = alpha.
double student_bound(double alpha, double freedom);

/// Returns q with P(Q > q) = alpha.
double normal_range_bound(double alpha, unsigned k);

}  // namespace elmx
