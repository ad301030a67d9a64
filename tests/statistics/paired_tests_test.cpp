#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "statistics/hypothesis_tests.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// |W+ - W-| with the ranks of |d| counted one by one: rank = 1 + smaller ones + half of the other equal
/// ones.
double imbalance(const std::vector<double>& differences) {
  double sum = 0;
  for (const double d : differences) {
    double rank = 0.5;
    for (const double other : differences)
      rank += std::abs(other) < std::abs(d) ? 1 : (std::abs(other) == std::abs(d) ? 0.5 : 0);
    sum += d > 0 ? rank : (d < 0 ? -rank : 0);
  }
  return std::abs(sum);
}

/// The share of all 2^n signs of the differences that are at least as one-sided as those observed.
double by_all_signs(const std::vector<double>& differences) {
  const std::size_t n = differences.size();
  const double observed = imbalance(differences);
  double as_extreme = 0;
  for (unsigned signs = 0; signs < (1U << n); ++signs) {
    std::vector<double> d = differences;
    for (std::size_t i = 0; i < n; ++i) d[i] = (signs >> i) % 2 == 0 ? d[i] : -d[i];
    as_extreme += imbalance(d) >= observed - 1e-9;
  }
  return as_extreme / std::ldexp(1.0, static_cast<int>(n));
}

TEST(Wilcoxon, IsTheShareOfAllSignsThatAreAsOneSided) {
  const std::vector<std::vector<double>> cases = {
      {1},
      {1, 2, -3, 4, 5},
      {-1, -2, -3, -4, -5, -6},
      {0.1, 0.1, -0.1, 0.3, 0.3, -0.2, 0.5},          // ties
      {0, 0, 1, -2, 3, 3, 4},                         // zeros
      {0, 0, 0, -1, -1, -1, -1, 2, -2, 5, -7, 8, 8},  // both
  };
  for (const std::vector<double>& differences : cases)
    EXPECT_NEAR(wilcoxon_test(differences).p, by_all_signs(differences), 1e-14) << differences.size();

  const Rng rng(3, Purpose::validation);
  std::uint64_t index = 0;
  for (std::size_t n = 2; n <= 12; ++n) {
    std::vector<double> differences(n);
    for (double& d : differences) d = std::round(4 * rng.normal(index++) + 1);
    if (imbalance(differences) == 0) continue;
    EXPECT_NEAR(wilcoxon_test(differences).p, by_all_signs(differences), 1e-14) << n;
  }
}

// Demsar 2006, table 2: AUC of C4.5 and of C4.5 with m tuned, on 14 data sets. One zero, which he gives half
// to each side; R+ = 93, R- = 12, and the critical value of 14 pairs at 0.05 is 21.
TEST(Wilcoxon, DemsarsExampleIsSignificant) {
  const std::vector<double> c45 = {0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661,
                                   0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957};
  const std::vector<double> c45m = {0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668,
                                    0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978};
  std::vector<double> d;
  for (std::size_t i = 0; i < c45.size(); ++i) d.push_back(std::round(1000 * (c45m[i] - c45[i])));

  const TestResult result = wilcoxon_test(d);

  EXPECT_NEAR(result.p, by_all_signs(d), 1e-14);
  EXPECT_LT(result.p, 0.02);
  EXPECT_EQ(result.sign, 1);
}

// The textbook's approximation: mean n (n + 1) / 4, variance n (n + 1) (2 n + 1) / 24 less sum (t^3 - t) / 48
// over groups of t equal ranks, and half a rank towards the mean.
TEST(Wilcoxon, ManyPairsHaveTheNormalApproximationOfTheTextbooks) {
  const double n = 60;
  std::vector<double> untied;
  std::vector<double> tied;  // pairs 1, 1, 2, 2, ..., 30, 30
  double below_untied = 0;
  double below_tied = 0;
  for (int i = 1; i <= 60; ++i) {
    const bool below = i % 3 == 0;
    untied.push_back(below ? -i : i);
    tied.push_back(below ? -((i + 1) / 2) : (i + 1) / 2);
    if (below) below_untied += i;
    if (below) below_tied += 2 * ((i + 1) / 2) - 0.5;
  }
  const auto p = [&](double W, double variance) {
    return std::erfc((n * (n + 1) / 4 - W - 0.5) / std::sqrt(2 * variance));
  };
  const double variance = n * (n + 1) * (2 * n + 1) / 24;

  EXPECT_NEAR(wilcoxon_test(untied).p / p(below_untied, variance), 1, 1e-12);
  EXPECT_NEAR(wilcoxon_test(tied).p / p(below_tied, variance - 30 * (8 - 2) / 48.0), 1, 1e-12);
}

// p = 0.05 or so; the two differ by the error of the approximation and by one pair of the least difference.
TEST(Wilcoxon, TheApproximationContinuesTheExactDistribution) {
  std::vector<double> d;
  for (int i = 1; i <= 50; ++i) d.push_back(i % 3 == 0 ? -i - 4 : i);
  const double exact = wilcoxon_test(d).p;
  d.push_back(0.5);

  const double approximate = wilcoxon_test(d).p;

  EXPECT_GT(exact, 0.02);
  EXPECT_LT(exact, 0.2);
  EXPECT_NEAR(approximate / exact, 1, 0.1);
}

TEST(Wilcoxon, SaysWhatSoManyPairsCanFind) {
  const TestResult five = wilcoxon_test({1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(five.p, 0.0625);
  EXPECT_DOUBLE_EQ(five.smallest_p, 0.0625);
  EXPECT_DOUBLE_EQ(wilcoxon_test({0, 0, 0, 1, 2}).smallest_p, 0.5);
  EXPECT_TRUE(std::isnan(wilcoxon_test({0, 0}).p));
  EXPECT_TRUE(std::isnan(wilcoxon_test({}).p));
  EXPECT_EQ(wilcoxon_test({0, 0}).smallest_p, 1);
  EXPECT_EQ(wilcoxon_test({-1, 1}).sign, 0);
  EXPECT_EQ(find_paired_test("wilcoxon").pairs_needed(0.05), 6u);
  EXPECT_EQ(find_paired_test("wilcoxon").pairs_needed(0.01), 8u);
  EXPECT_EQ(find_paired_test("t").pairs_needed(0.05), 2u);
}

// t = 0.14 / sqrt(0.048 / 5) = 1.4289 of 4 degrees; the tail of four degrees is 1 - s (3 - s^2) / 2, s = t /
// sqrt(4 + t^2).
TEST(PairedT, ByHand) {
  const std::vector<double> d = {0.3, -0.1, 0.3, -0.1, 0.3};
  const double t = 0.14 / std::sqrt(0.048 / 5);
  const auto tail_of_four = [](double x) {
    const double s = x / std::sqrt(4 + x * x);
    return 1 - s * (3 - s * s) / 2;
  };

  EXPECT_NEAR(t_test(d, 0).p, tail_of_four(t), 1e-12);
  EXPECT_EQ(t_test(d, 0).sign, 1);
  // Five folds: the variance of the mean is not sd^2 / 5 but sd^2 (1 / 5 + 1 / 4).
  EXPECT_NEAR(t_test(d, 0.25).p, tail_of_four(t * std::sqrt(0.2 / 0.45)), 1e-12);
}

TEST(PairedT, OneDifferenceAndEqualOnes) {
  EXPECT_TRUE(std::isnan(t_test({1}, 0).p));
  EXPECT_EQ(t_test({1}, 0).smallest_p, 1);
  EXPECT_TRUE(std::isnan(t_test({0, 0, 0}, 0).p));
  EXPECT_EQ(t_test({0, 0, 0}, 0).sign, 0);
  EXPECT_TRUE(std::isnan(t_test({-2, -2, -2}, 0).p)) << "no spread to judge the mean by";
  EXPECT_EQ(t_test({-2, -2, -2}, 0).sign, -1);
}

TEST(AverageRanks, EqualValuesShareTheMeanOfTheirRanks) {
  EXPECT_EQ(average_ranks({30, 10, 20, 20, 10, 10}), (std::vector<double>{6, 2, 4.5, 4.5, 2, 2}));
  EXPECT_EQ(average_ranks({}), std::vector<double>{});
}

TEST(PairedTests, AnUnknownNameComesWithTheNearest) {
  EXPECT_NE(thrown<ConfigError>([] { find_paired_test("wilcoxn"); }).find("\"wilcoxon\""), std::string::npos);
}

}  // namespace
}  // namespace elmx
