#pragma once

#include <armadillo>
#include <vector>

namespace elmx {

/// Weights of several models for the same targets.
struct StackWeights {
  arma::vec weights;  ///< m
  /// m x n: column i are the weights that the other samples give; NaN: i is not known
  arma::mat without_each;
};

/// The weights w >= 0 of m models that minimise
///
///     sum_i s_i ||t_i - sum_j w_j z_ij||^2         over the samples i with finite z_ij for all j
///
/// and the same without each of the samples. There is no intercept: each model has its own.
///
///     Z: m times n x c, outputs at sample i of models that have not learnt it     T: n x c     s: n, or empty for all 1
///
/// n m^2 c flops, and some m^3 for each sample. Sums are in the order of the samples, whatever the number of
/// threads.
///
/// L. Breiman, "Stacked regressions", Machine Learning 24 (1996) 49-64.
StackWeights stack_weights(const std::vector<arma::mat>& Z, const arma::mat& T, const arma::vec& s);

/// sum_j w_j Z_j, those with w_j = 0 left out.   Z: m times n x c.
arma::mat weighted_sum(const std::vector<arma::mat>& Z, const arma::vec& weights);

}  // namespace elmx
