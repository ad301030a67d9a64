#pragma once

#include <armadillo>

namespace elmx {

// T: N x c targets, P: N x c predictions. Without samples every metric is NaN. Numbers are scaled before they
// are squared if their squares would leave the range of double, so a metric is infinite only if its own value
// is too large.

/// Returns ||P - T||_F^2 / (N c), the mean over all N c entries.
double mean_squared_error(const arma::mat& T, const arma::mat& P);

/// Returns the square root of mean_squared_error, in the unit of the targets.
double root_mean_squared_error(const arma::mat& T, const arma::mat& P);

/// Returns the mean of |P - T| over all N c entries.
double mean_absolute_error(const arma::mat& T, const arma::mat& P);

/// Returns the mean over the columns of the median of |P - T|.
double median_absolute_error(const arma::mat& T, const arma::mat& P);

/// Returns the coefficient of determination, averaged over the columns of T that are not constant:
///
///     1 - SSE / SST,   SSE = ||p - t||^2,   SST = ||t - mean of t||^2
///
/// NaN if all columns are constant.
double r_squared(const arma::mat& T, const arma::mat& P);

/// Returns true if all columns of the targets are constant up to rounding: max - min <= 16 eps max |T_ij|,
/// the few ulps of error that scaling and unscaling leave.
bool constant_targets(const arma::mat& T);

}  // namespace elmx
