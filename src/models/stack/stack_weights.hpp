#pragma once

#include <armadillo>
#include <vector>

namespace elmx {

/// Returns the w >= 0 that minimises ||t - Z w||^2, from the products of Z (n x m) and t (n). Some of several
/// dependent columns have weight 0.
///
///     G = Z'Z: m x m     b = Z't: m
///
/// start: m numbers, != 0 for columns that are likely to have w > 0; or empty.
///
/// The solution satisfies the conditions of Karush, Kuhn and Tucker with the gradient g = b - G w:
///
///     w >= 0,  g_j = 0 where w_j > 0,  g_j <= 0 where w_j = 0
///
/// An active-set method: a few m^3 flops for each column that enters.
///
/// C. L. Lawson, R. J. Hanson, "Solving least squares problems", Prentice-Hall 1974, chapter 23.
arma::vec nonnegative_least_squares(const arma::mat& G, const arma::vec& b, const arma::vec& start = {});

/// The weights of several models for the same targets.
struct StackWeights {
  arma::vec weights;  ///< m
  /// m x n: column i holds the weights from the other samples; NaN: i is not known
  arma::mat without_each;
};

/// Computes the weights w >= 0 of m models that minimise
///
///     sum_i s_i ||t_i - sum_j w_j z_ij||^2         over the samples i with finite z_ij for all j
///
/// and the same weights without each of the samples. There is no intercept: each model has its own.
///
///     Z: m times n x c, outputs at sample i of models trained without i     T: n x c     s: n, or empty (1)
///
/// n m^2 c flops, and some m^3 for each sample. Sums are in the order of the samples, for any number of
/// threads.
///
/// L. Breiman, "Stacked regressions", Machine Learning 24 (1996) 49-64.
StackWeights stack_weights(const std::vector<arma::mat>& Z, const arma::mat& T, const arma::vec& s);

/// Returns sum_j w_j Z_j, skipping all w_j = 0.   Z: m times n x c.
arma::mat weighted_sum(const std::vector<arma::mat>& Z, const arma::vec& weights);

}  // namespace elmx
