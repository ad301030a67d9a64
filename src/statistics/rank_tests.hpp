#pragma once

#include <armadillo>
#include <vector>

namespace elmx {

/// True if k algorithms differ over N data sets, by their ranks on each. scores: N x k, lower is better;
/// equal ones are ties (tied_scores).
///
///     R_j = mean rank of algorithm j, ties sharing the mean of their ranks
///     chi2 = 12 N / (k (k + 1)) (sum R_j^2 - k (k + 1)^2 / 4)
///     F = (N - 1) chi2 / (N (k - 1) - chi2)      of k - 1 and (k - 1)(N - 1) degrees of freedom (Iman, Davenport)
///
/// p is exact, from all orders of the ranks of each data set, where those can be enumerated by sums of ranks
/// (hundreds of data sets for k = 3, a dozen for k = 4, a few beyond), else that of F. There is no correction
/// for ties: chi2 and F are then too small. All are NaN where N < 2 or k < 2.
///
/// J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006) 1-30, sec.
/// 3.2.2.
struct FriedmanResult {
  arma::rowvec ranks;  ///< R, 1 x k
  double chi2 = 0;
  double F = 0;
  double p = 0;
  bool exact = false;
  double smallest_p = 1;  ///< (k!)^(1 - N): every data set orders the algorithms alike
};
FriedmanResult friedman_test(const arma::mat& scores);

/// Least number of data sets with which k algorithms can differ at alpha: (k!)^(1 - N) <= alpha.
arma::uword data_sets_needed(arma::uword k, double alpha);

/// Standard error of the difference of two mean ranks: sqrt(k (k + 1) / (6 N)).
double rank_error(arma::uword k, arma::uword N);

/// Nemenyi: two of k algorithms differ at alpha where their mean ranks are this far apart,
/// q sqrt(k (k + 1) / (6 N)),  q the bound of the range of k normal variables over sqrt(2).
double nemenyi_difference(arma::uword k, arma::uword N, double alpha);

/// Each p multiplied by the number of hypotheses that are left when those with smaller p have been rejected,
/// and no less than theirs; at most 1. NaN stays and counts for no hypothesis. S. Holm, "A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979) 65-70.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace elmx
