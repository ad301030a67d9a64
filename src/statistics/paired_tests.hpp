#pragma once

#include <string>
#include <vector>

#include "statistics/summary.hpp"

namespace elmx {

/// What a test finds in n paired differences. p is two-sided; NaN where the test has nothing to go by.
struct TestResult {
  double p = 0;
  int sign = 0;           ///< -1 or 1: below or above zero, by what the test looks at; 0: neither
  double smallest_p = 0;  ///< no differences of as many pairs would give less
};

/// A test of the hypothesis that the differences (differences_of) lie about zero. It takes equal numbers for
/// ties.
struct PairedTest {
  const char* name;
  const char* doc;
  /// `test_over_train`: samples of a test part over samples of its training part.
  TestResult (*run)(const std::vector<double>& differences, double test_over_train);
  /// The least number of pairs that differ with which p <= alpha can be.
  arma::uword (*pairs_needed)(double alpha);
  bool needs_split = false;  ///< whether `test_over_train` matters
};

/// All paired tests: the one place where one is added. The first is the default.
const std::vector<PairedTest>& paired_tests();

/// Throws ConfigError with the nearest known name.
const PairedTest& find_paired_test(const std::string& name);

/// Wilcoxon's signed-rank test with Pratt's treatment of zeros: |d| are ranked with the zeros, whose ranks
/// then fall out; equal |d| share the mean of their ranks. With W- and W+ the sums of the ranks of negative
/// and positive differences
///
///     p = 2 P(W <= min(W-, W+)),   W the sum of ranks with signs drawn by a fair coin
///
/// exactly for up to 50 pairs that differ (O(n^3)), ties included; beyond by the normal distribution with the
/// variance of the ranks at hand, sum r^2 / 4, and a correction of 1/2 for continuity. F. Wilcoxon,
/// "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945) 80-83; J. W. Pratt, "Remarks on
/// zeros and ties in the Wilcoxon signed rank procedures", JASA 54 (1959) 655-667.
TestResult wilcoxon_test(const std::vector<double>& differences);

/// t = mean / (sd sqrt(1 / n + rho)) with n - 1 degrees of freedom. rho = 0 is the paired t-test; rho =
/// test_over_train corrects for folds whose training parts overlap: C. Nadeau, Y. Bengio, "Inference for the
/// generalization error", Machine Learning 52 (2003) 239-281.
TestResult t_test(const std::vector<double>& differences, double rho);

/// Each difference is above or below zero by a fair coin; zeros are left out. Exact.
TestResult sign_test(const std::vector<double>& differences);

/// The rank of each value among all, from 1 for the smallest; equal values share the mean of their ranks.
std::vector<double> average_ranks(const std::vector<double>& values);

}  // namespace elmx
