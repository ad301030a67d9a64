#pragma once

#include <armadillo>

namespace elmx {

/// Lower and upper bounds of n predictions of c targets: n x c each.
struct Intervals {
  arma::mat lower, upper;
};

/// Returns the rank r = ceil(level (m + 1)) of the bounds among m predictions; r > m: no finite bound.
arma::uword jackknife_rank(double level, arma::uword m);

/// Computes the jackknife+ intervals of Barber, Candes, Ramdas and Tibshirani: at x, with f_{-i} trained
/// without sample i and R_i = |y_i - f_{-i}(x_i)|,
///
///     lower   the (m + 1 - r)-th smallest of f_{-i}(x) - R_i
///     upper   the r-th smallest of f_{-i}(x) + R_i
///
/// For any distribution, a new target lies between the bounds with probability at least 2 level - 1, and with
/// probability level if predictions are stable. outputs: n x c; changes: n x m x c, f(x) - f_{-i}(x);
/// residuals: m x c, y_i - f_{-i}(x_i). Requires r <= m.
///
/// R. F. Barber, E. J. Candes, A. Ramdas, R. J. Tibshirani, "Predictive inference with the jackknife+",
/// Annals of Statistics 49 (2021) 486-507.
Intervals jackknife_plus(const arma::mat& outputs, const arma::cube& changes, const arma::mat& residuals, double level);

}  // namespace elmx
