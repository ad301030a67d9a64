#pragma once

#include <armadillo>

namespace elmx {

/// Probabilities of m classes from scores z (one per class) by a softmax with one slope and an offset for
/// each class,
///
///     p_k = exp(a z_k + b_k) / sum_j exp(a z_j + b_j)
///
/// For two classes this is the sigmoid of Platt (1999): p_2 = 1 / (1 + exp(-(a (z_2 - z_1) + b_2 - b_1))).
struct Calibration {
  double slope = 1;      ///< a
  arma::rowvec offsets;  ///< b: 1 x m

  /// Returns n x m probabilities, rows of sum 1. scores: n x m.
  arma::mat probabilities(const arma::mat& scores) const;
};

/// Maximises the likelihood of the classes (n indices below m) of samples on which the scores (n x m) were
/// not fitted. A sample counts 1 - e for its own class and e / (m - 1) for each other class, so that classes
/// that the scores separate do not get probabilities of 0 and 1:
///
///     m = 2   e = 1 / (n_k + 2),   n_k samples of its class: the targets of Platt
///     m > 2   e = 1 / (n + 2),     the same rule of succession over all samples: one wrong sample in total
///
/// Platt's own targets would add one wrong sample per class, which hides sharp probabilities if there are
/// many classes. Cost: O(n m) for each of at most a few hundred iterations of L-BFGS. Requires n > 0, m > 1
/// and finite scores.
Calibration calibrate(const arma::mat& scores, const arma::uvec& classes);

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
