#pragma once

#include <armadillo>
#include <string>
#include <vector>

#include "statistics/summary.hpp"

namespace elmx {

/// The result of a test of n paired differences. p is two-sided; NaN if the test is not applicable.
struct TestResult {
  double p = 0;
  int sign = 0;           ///< -1 or 1: below or above zero by the statistic of the test; 0: neither
  double smallest_p = 0;  ///< least p that any differences of this number of pairs could give
};

/// A test of the hypothesis that differences (differences_of) are centred at zero; equal numbers tie.
struct PairedTest {
  const char* name;
  const char* doc;
  /// `test_over_train`: samples of a test part over samples of its training part
  TestResult (*run)(const std::vector<double>& differences, double test_over_train);
  /// returns the least number of differing pairs for which p <= alpha is possible
  arma::uword (*pairs_needed)(double alpha);
  bool needs_split = false;  ///< true if the test uses `test_over_train`
};

/// Returns all paired tests, the default first. A new test is added here only.
const std::vector<PairedTest>& paired_tests();

/// Throws ConfigError that suggests the nearest known name.
const PairedTest& find_paired_test(const std::string& name);

/// Runs Wilcoxon's signed-rank test with Pratt's treatment of zeros: |d| are ranked together with the zeros,
/// whose ranks are then dropped; equal |d| share the mean of their ranks. With W- and W+ the sums of the
/// ranks of negative and positive differences
///
///     p = 2 P(W <= min(W-, W+)),   W the sum of ranks with signs drawn by a fair coin
///
/// p is exact for up to 50 differing pairs (O(n^3)), ties included. For more pairs it uses the normal
/// distribution with the variance of the given ranks, sum r^2 / 4, and a continuity correction of 1/2. F.
/// Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945) 80-83; J. W. Pratt,
/// "Remarks on zeros and ties in the Wilcoxon signed rank procedures", JASA 54 (1959) 655-667.
TestResult wilcoxon_test(const std::vector<double>& differences);

/// Runs a t-test: t = mean / (sd sqrt(1 / n + rho)) with n - 1 degrees of freedom. rho = 0 is the paired
/// t-test; rho = test_over_train corrects for folds whose training parts overlap: C. Nadeau, Y. Bengio,
/// "Inference for the generalization error", Machine Learning 52 (2003) 239-281.
TestResult t_test(const std::vector<double>& differences, double rho);

/// Returns the rank of each value, from 1 for the smallest; equal values share their mean rank.
std::vector<double> average_ranks(const std::vector<double>& values);

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
