#pragma once

#include <armadillo>

namespace elmx {

// T: N x c targets, P: N x c predictions. Without a sample every metric is NaN. Squares are taken of scaled
// numbers where they would leave the range of double: a metric is infinite only where its own value is too
// large.

/// ||P - T||_F^2 / (N c): the mean over all N c entries.
double mean_squared_error(const arma::mat& T, const arma::mat& P);

/// sqrt of mean_squared_error, in the unit of the targets.
double root_mean_squared_error(const arma::mat& T, const arma::mat& P);

/// Mean of |P - T| over all N c entries.
double mean_absolute_error(const arma::mat& T, const arma::mat& P);

/// Mean over the columns of the median of their |P - T|.
double median_absolute_error(const arma::mat& T, const arma::mat& P);

/// Coefficient of determination, the plain mean over the columns of T that are not constant of
///
///     1 - SSE / SST,   SSE = ||p - t||^2,   SST = ||t - mean of t||^2
///
/// NaN where all columns are constant.
double r_squared(const arma::mat& T, const arma::mat& P);

/// True if all columns of the targets are constant but for rounding: max - min <= 16 eps max |T_ij|, a few
/// ulps of their size, which scaling and its inverse leave.
bool constant_targets(const arma::mat& T);

}  // namespace elmx
