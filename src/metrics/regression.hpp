#pragma once

#include <armadillo>

namespace elmx {

// T: N x c targets, P: N x c predictions. Without a sample every metric is NaN. Squares are taken of scaled numbers
// where they would leave the range of double: a metric is infinite only where its own value is too large.

/// ||P - T||_F^2 / (N c): the mean over all N c entries.
double mean_squared_error(const arma::mat& T, const arma::mat& P);

/// sqrt of mean_squared_error, in the unit of the targets.
double root_mean_squared_error(const arma::mat& T, const arma::mat& P);

/// Coefficient of determination, pooled over the outputs:
///
///     1 - SSE / SST,   SSE = ||P - T||_F^2,   SST = sum_j sum_i (T_ij - mean_j)^2,   mean_j the mean of column j of T
///
/// With c > 1 this is the mean of the R2 of the columns, weighted by their sums of squares. Columns that are constant
/// have none; NaN where all are.
double r_squared(const arma::mat& T, const arma::mat& P);

/// Whether all columns of the targets are constant but for rounding: max - min <= 16 eps max |T_ij|, a few ulps of
/// their size, which scaling and its inverse leave.
bool constant_targets(const arma::mat& T);

}  // namespace elmx
