#pragma once

#include <armadillo>
#include <vector>

namespace elmx {

/// The result of Friedman's test of whether k algorithms differ over N data sets, by their ranks on each.
/// scores: N x k, lower is better; equal scores are ties (tied_scores).
///
///     R_j = mean rank of algorithm j, ties sharing the mean of their ranks
///     chi2 = 12 N / (k (k + 1)) (sum R_j^2 - k (k + 1)^2 / 4)
///     F = (N - 1) chi2 / (N (k - 1) - chi2)    with k - 1 and (k - 1)(N - 1) degrees of freedom
///
/// F is the statistic of Iman and Davenport. p is exact, from all permutations of the ranks of each data set,
/// if their rank sums can be enumerated (hundreds of data sets for k = 3, a dozen for k = 4, a few beyond);
/// otherwise it is the p of F. There is no correction for ties, which make chi2 and F too small. All values
/// are NaN if N < 2 or k < 2.
///
/// J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006) 1-30, sec.
/// 3.2.2.
struct FriedmanResult {
  arma::rowvec ranks;  ///< R, 1 x k
  double chi2 = 0;
  double F = 0;
  double p = 0;
  bool exact = false;
  double smallest_p = 1;  ///< (k!)^(1 - N): all data sets order the algorithms alike
};
FriedmanResult friedman_test(const arma::mat& scores);

/// Returns the least number of data sets with which k algorithms can differ at alpha: (k!)^(1 - N) <= alpha.
arma::uword data_sets_needed(arma::uword k, double alpha);

/// Returns the standard error of the difference of two mean ranks, sqrt(k (k + 1) / (6 N)).
double rank_error(arma::uword k, arma::uword N);

/// Returns Nemenyi's critical difference of mean ranks for k algorithms at alpha, q sqrt(k (k + 1) / (6 N)),
/// with q the bound of the range of k normal variables over sqrt(2).
double nemenyi_difference(arma::uword k, arma::uword N, double alpha);

/// Adjusts p-values by Holm's method: each p is multiplied by the number of hypotheses that remain after
/// those with smaller p were rejected, is at least the adjusted p of those, and at most 1. NaN stays and does
/// not count as a hypothesis. S. Holm, "A simple sequentially rejective multiple test procedure",
/// Scandinavian Journal of Statistics 6 (1979) 65-70.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace elmx
