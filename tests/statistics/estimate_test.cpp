#include "statistics/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace elmx {
namespace {

using Runs = std::vector<std::vector<double>>;

constexpr double kLevel = 0.025;

/// Runs of one fold.
Runs single(const std::vector<double>& values) {
  Runs runs;
  for (const double value : values) runs.push_back({value});
  return runs;
}

class Normal {
 public:
  double operator()(double mean = 0, double sd = 1) { return mean + sd * distribution_(engine_); }
  std::vector<double> many(std::size_t n, double mean, double sd) {
    std::vector<double> values(n);
    for (double& value : values) value = (*this)(mean, sd);
    return values;
  }

 private:
  std::mt19937_64 engine_{7};
  std::normal_distribution<double> distribution_;
};

/// How often estimates of something that is 0 are taken to be above it.
template <class Draw>
double wrong(int trials, const Draw& draw) {
  int above = 0;
  for (int i = 0; i < trials; ++i) above += p_above_zero(draw()) <= kLevel;
  return static_cast<double>(above) / trials;
}

/// Four standard deviations of a frequency.
double chance(double p, int trials) { return 4 * std::sqrt(p * (1 - p) / trials); }

TEST(Estimate, OfRunsIsTheirMeanWithStudentsError) {
  const Estimate e = estimate_of_runs(single({1, 2, 6}));

  EXPECT_DOUBLE_EQ(e.value, 3);
  EXPECT_DOUBLE_EQ(e.variance, 7.0 / 3);
  EXPECT_EQ(e.freedom, 2);
  // P(T > t) of two degrees of freedom is 1/2 - t / (2 sqrt(2 + t^2))
  const double t = 3 / std::sqrt(7.0 / 3);
  EXPECT_NEAR(p_above_zero(e), 0.5 - t / (2 * std::sqrt(2 + t * t)), 1e-14);
  EXPECT_NEAR(p_above_zero(shifted(e, -1, 0)), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-14);
  EXPECT_NEAR(interval_of(e)->high - 3, 4.302653 * std::sqrt(7.0 / 3), 1e-5);
}

TEST(Estimate, HasTheUnitOfItsRuns) {
  const Estimate tiny = estimate_of_runs(single({1e-30, 2e-30, 6e-30}));

  EXPECT_DOUBLE_EQ(tiny.value, 3e-30);
  EXPECT_DOUBLE_EQ(tiny.variance, 7e-60 / 3);
}

TEST(Estimate, OfManyRunsOfFoldsIsThatOfTheirMeans) {
  const Estimate folds = estimate_of_runs({{0, 2}, {1, 3}, {2, 10}}), means = estimate_of_runs(single({1, 2, 6}));

  EXPECT_DOUBLE_EQ(folds.value, means.value);
  EXPECT_DOUBLE_EQ(folds.variance, means.variance);
  EXPECT_EQ(folds.freedom, means.freedom);
}

TEST(Estimate, OfOneRunOfFoldsHasTheCorrectionForTheirOverlap) {
  const Estimate one = estimate_of_runs({{1, 2, 3, 4, 5}}), two = estimate_of_runs({{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}});

  EXPECT_DOUBLE_EQ(one.variance, 2.5 * (1.0 / 5 + 1.0 / 4));
  EXPECT_EQ(one.freedom, 4);
  EXPECT_DOUBLE_EQ(two.variance, 20.0 / 9 * (1.0 / 10 + 1.0 / 4));
  EXPECT_EQ(two.freedom, 9);
  EXPECT_EQ(one.runs, 1u);
}

TEST(Estimate, OfOneRunKnowsNothingOfItsSpread) {
  const Estimate e = estimate_of_runs({{5}});

  EXPECT_TRUE(std::isnan(e.variance));
  EXPECT_TRUE(std::isnan(p_above_zero(e)));
  EXPECT_FALSE(interval_of(e));
  EXPECT_EQ(more_runs(e, kLevel)->runs, 1u);
  EXPECT_TRUE(more_runs(e, kLevel)->at_least);
}

TEST(Estimate, RunsThatAreAlikeAgree) {
  const Estimate four = estimate_of_runs(single({3, 3, 3, 3}));

  EXPECT_EQ(p_above_zero(four), 1.0 / 16);
  EXPECT_EQ(p_above_zero(shifted(four, -1, 0)), 1);
  EXPECT_EQ(more_runs(four, kLevel)->runs, 2u) << "2^-6 < 0.025 < 2^-5";
  EXPECT_FALSE(more_runs(four, kLevel)->at_least);
  EXPECT_FALSE(more_runs(shifted(four, 1, -3), kLevel)) << "equal is not above, however often";
}

TEST(Estimate, RunsThatAreAlikeInOtherFoldsAgree) {
  const Estimate three = estimate_of_runs({{0.1, 0.2, 0.3, 0.4}, {0.4, 0.1, 0.3, 0.2}, {0.3, 0.4, 0.2, 0.1}});
  EXPECT_EQ(p_above_zero(three), 1.0 / 8);
  EXPECT_EQ(three.value, 0.25);

  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(estimate_of_runs({{infinite}, {1}, {2}}).value, infinite);

  const Estimate none = estimate_of_runs({{0.1, 0.2, -0.3}, {-0.3, 0.1, 0.2}, {0.2, -0.3, 0.1}});
  EXPECT_EQ(none.value, 0) << "folds that cancel, not what rounding leaves of them";
  EXPECT_EQ(p_above_zero(none), 1);
  EXPECT_EQ(p_above_zero(shifted(none, -1, 0)), 1);
}

TEST(Estimate, IsWrongAsOftenAsTheLevelSays) {
  const int trials = 40000;
  Normal normal;
  for (const std::size_t n : {2u, 3u, 10u}) {
    const double rate = wrong(trials, [&] { return estimate_of_runs(single(normal.many(n, 0, 2))); });
    EXPECT_NEAR(rate, kLevel, chance(kLevel, trials)) << n << " runs";
  }
}

TEST(Estimate, OfFoldsIsWrongAsOftenWhereTheyAreCorrelatedByTheirOverlap) {
  // The assumption of Nadeau and Bengio: every two folds have the correlation 1 / k.
  const int trials = 40000;
  for (const std::size_t k : {5u, 10u}) {
    Normal normal;
    const double rho = 1 / static_cast<double>(k);
    const double rate = wrong(trials, [&] {
      const double common = normal(0, std::sqrt(rho));
      return estimate_of_runs({normal.many(k, common, std::sqrt(1 - rho))});
    });
    EXPECT_NEAR(rate, kLevel, 0.2 * kLevel + chance(kLevel, trials)) << k << " folds";
    EXPECT_LE(rate, kLevel + chance(kLevel, trials));
  }
}

/// `runs` of the same mean and sd times that of the n published ones, minus these.
double wrong_with_published(std::size_t runs, double sd, arma::uword n) {
  Normal normal;
  return wrong(20000, [&] {
    const Summary published = summary_of(normal.many(n, 5, 1));
    return minus_known_mean(estimate_of_runs(single(normal.many(runs, 5, sd))), 1, {published.mean, published.sd, n});
  });
}

TEST(EstimateMinusPublished, IsWrongAsOftenAsTheLevelSaysFromOneRunOn) {
  for (const std::size_t runs : {1u, 2u, 5u})
    EXPECT_NEAR(wrong_with_published(runs, 1, 20), kLevel, chance(kLevel, 20000)) << runs << " runs";
}

TEST(EstimateMinusPublished, ASpreadThatIsGreaterHereIsFound) {
  EXPECT_NEAR(wrong_with_published(5, 10, 100), kLevel, chance(kLevel, 20000));
  EXPECT_LE(wrong_with_published(5, 2, 100), 0.055) << "not always found";
  EXPECT_LE(wrong_with_published(10, 2, 100), 0.035);
}

TEST(EstimateMinusPublished, HasStudentsTestOfTwoSamples) {
  const Estimate e = minus_known_mean(estimate_of_runs(single({1, 2, 3})), 1, {1.5, 2, 4});

  EXPECT_DOUBLE_EQ(e.value, 0.5);
  EXPECT_EQ(e.freedom, 5);
  EXPECT_DOUBLE_EQ(e.variance, (2 * 1.0 + 3 * 4.0) / 5 * (1.0 / 3 + 1.0 / 4));
}

TEST(EstimateMinusPublished, OfAPublishedMeanTimesAFactorHasTheFactorSquared) {
  const Estimate e = minus_known_mean(estimate_of_runs(single({1})), 3, {2, 1, 5});

  EXPECT_DOUBLE_EQ(e.value, -5);
  EXPECT_DOUBLE_EQ(e.variance, 1 + 9.0 / 5);
}

TEST(EstimateMinusPublished, HasWelchsTestOfRunsOfAnotherKind) {
  const Estimate e = minus_known_mean(estimate_of_runs(single({1, 2, 3})), 1, {1.5, 2, 4, false});

  EXPECT_DOUBLE_EQ(e.value, 0.5);
  EXPECT_DOUBLE_EQ(e.variance, 1.0 / 3 + 4.0 / 4);
  EXPECT_DOUBLE_EQ(e.freedom, 16.0 / 9 / (1.0 / 9 / 2 + 1.0 / 3));
}

// Folds are no runs of the published kind: the variance 1.125 of 4 degrees and that of 1 of 3 degrees.
TEST(EstimateMinusPublished, HasWelchsTestOfFolds) {
  const Estimate e = minus_known_mean(estimate_of_runs({{1, 2, 3, 4, 5}}), 1, {2, 2, 4});

  EXPECT_DOUBLE_EQ(e.value, 1);
  EXPECT_DOUBLE_EQ(e.variance, 2.5 * (1.0 / 5 + 1.0 / 4) + 4.0 / 4);
  EXPECT_DOUBLE_EQ(e.freedom, 2.125 * 2.125 / (1.125 * 1.125 / 4 + 1.0 / 3));
}

TEST(EstimateMinusPublished, OfRunsThatAreAlikeIsThePublishedErrorAlone) {
  const Estimate e = minus_known_mean(estimate_of_runs(single({2, 2, 2})), 1, {1.5, 2, 4, false});

  EXPECT_DOUBLE_EQ(e.variance, 1);
  EXPECT_DOUBLE_EQ(e.freedom, 3);
}

TEST(EstimateMinusPublished, OfOneRunOfAnotherKindKnowsNoSpread) {
  const Estimate e = minus_known_mean(estimate_of_runs(single({2})), 1, {1.5, 2, 4, false});

  EXPECT_TRUE(std::isnan(p_above_zero(e)));
}

// Twenty repeats of the mean of five folds, and the five folds of another one.
TEST(EstimateMinusPublished, FoldsThatVaryMoreThanRepeatsAreNotPooledWithThem) {
  const auto rate = [](bool same_kind) {
    Normal normal;
    return wrong(20000, [&] {
      const Summary folds = summary_of(normal.many(5, 5, 1));
      return minus_known_mean(estimate_of_runs(single(normal.many(20, 5, 0.2))), 1,
                              {folds.mean, folds.sd, 5, same_kind});
    });
  };

  EXPECT_NEAR(rate(false), kLevel, chance(kLevel, 20000));
  EXPECT_GT(rate(true), 4 * kLevel);
}

TEST(Jackknife, OfAMeanIsItsError) {
  const std::vector<double> x = {1, 2, 6};
  const Estimate e = jackknife(3, 3, [&](arma::uword i) { return std::optional((9 - x[i]) / 2); });

  EXPECT_NEAR(e.variance, 7.0 / 3, 1e-14);
  EXPECT_EQ(e.freedom, 2);
}

TEST(Jackknife, OfAQuotientIsRightInManyRuns) {
  const int trials = 4000;
  Normal normal;
  const double rate = wrong(trials, [&] {
    const std::vector<double> a = normal.many(30, 4, 0.4), b = normal.many(30, 2, 0.2);
    const double sum_a = arma::accu(arma::vec(a)), sum_b = arma::accu(arma::vec(b));
    return shifted(
        jackknife(sum_a / sum_b, 30, [&](arma::uword i) { return std::optional((sum_a - a[i]) / (sum_b - b[i])); }), 1,
        -2);
  });
  EXPECT_NEAR(rate, kLevel, chance(kLevel, trials));
}

TEST(SignTest, NeedsRunsOnTheSameSide) {
  const auto of = [](double value, const std::vector<double>& x) {
    return sign_test(value, x.size(), [&](arma::uword i) { return std::optional(x[i]); });
  };
  const double infinite = std::numeric_limits<double>::infinity();

  EXPECT_EQ(p_above_zero(of(3, {1, infinite, 2, 5, 1, 7})), 1.0 / 64);
  EXPECT_EQ(p_above_zero(of(0.5, {0.2, 0.7})), 0.25);
  EXPECT_EQ(p_above_zero(shifted(of(-0.5, {-0.2, -0.7}), -1, 0)), 0.25);
  EXPECT_EQ(p_above_zero(of(-3, {-1, -2})), 1);
  EXPECT_EQ(p_above_zero(shifted(of(-3, {-1, -2}), -1, 0)), 0.25);
  for (const Estimate& e : {of(infinite, {infinite, infinite, -1}), of(3, {1, 0, 2})}) {
    EXPECT_EQ(p_above_zero(e), 1) << "one of them says otherwise";
    EXPECT_FALSE(more_runs(e, kLevel)) << "and will always have said so";
  }
  const Estimate unknown = sign_test(3, 2, [](arma::uword) { return std::optional<double>(); });
  EXPECT_TRUE(std::isnan(p_above_zero(unknown)));
  EXPECT_TRUE(more_runs(unknown, kLevel)->at_least);
}

TEST(SignTest, TrialsWithTheSameRatioOfTimesAgree) {
  EXPECT_EQ(p_above_zero(log_estimate(time_ratio({{{2}, {1}}, {{4}, {2}}, {{6}, {3}}}))), 1.0 / 8);
}

TEST(Jackknife, OfAStatisticThatNoRunChangesIsNotCertain) {
  // The left-out values share n - 2 runs: they do not count as agreeing.
  const Estimate e = jackknife(7, 12, [](arma::uword) { return std::optional(7.0); });

  EXPECT_EQ(e.variance, 0);
  EXPECT_EQ(p_above_zero(e), 1);
}

TEST(MoreRuns, IsTheFirstNumberWhoseIntervalIsShortEnough) {
  const Estimate e = estimate_of_runs(single({0, 1, 2}));  // 1 +- t / sqrt(n)

  // t(5) 2.5706 / sqrt(6) = 1.049, t(6) 2.4469 / sqrt(7) = 0.925
  EXPECT_EQ(more_runs(e, kLevel)->runs, 4u);
  EXPECT_FALSE(more_runs(e, kLevel)->at_least);
}

TEST(MoreRuns, IsOneIfTheNextRunIsEnough) {
  // 2 +- t / sqrt(n): t(2) 4.3027 / sqrt(3) = 2.48, t(3) 3.1824 / sqrt(4) = 1.59
  EXPECT_EQ(more_runs(estimate_of_runs(single({1, 2, 3})), kLevel)->runs, 1u);
}

TEST(MoreRuns, OfFoldsCountRunsOfAllFolds) {
  // The mean of five folds has the variance 2.5 (1 / 5 + 1 / 4), and n runs have 1.05 +- 1.0607 t / sqrt(n):
  // t(5) 2.5706 1.0607 / sqrt(6) = 1.113, t(6) 2.4469 1.0607 / sqrt(7) = 0.981.
  EXPECT_EQ(more_runs(estimate_of_runs({{-0.95, 0.05, 1.05, 2.05, 3.05}}), kLevel)->runs, 6u);
}

TEST(MoreRuns, HaveTwoDigitsFromAHundredOn) {
  // mean m and deviation 1: (1.95996 / m)^2 runs, and some 2 for t in place of the normal distribution
  const auto more = [](double m) { return more_runs(estimate_of_runs(single({m - 1, m, m + 1})), kLevel)->runs; };

  EXPECT_EQ(more(0.01), 39000u) << "38415 + 2";
  EXPECT_EQ(more(0.1966), 99u) << "99.4 + 1.9 - 3, and up to the next whole number";
  EXPECT_EQ(more(0.1956), 100u) << "100.4 + 1.9 - 3";
  EXPECT_EQ(more(0.195), 110u) << "101.02 + 1.9 - 3 is more than 100";
}

TEST(MoreRuns, DecideInHalfOfTheCasesWhereTheTruthIsWhatWasFound) {
  const Estimate found = estimate_of_runs(single({-0.4, 0.4, 1.2}));  // 0.4 and 0.8
  const arma::uword n = found.runs + more_runs(found, kLevel)->runs;
  Normal normal;
  const auto decided = [&](arma::uword runs) {
    return wrong(20000, [&] { return estimate_of_runs(single(normal.many(runs, 0.4, 0.8))); });
  };

  EXPECT_NEAR(decided(n), 0.5, 0.05);
  EXPECT_LT(decided(n / 2), 0.35);
  EXPECT_GT(decided(2 * n), 0.75);
}

TEST(MoreRuns, AreNoneWhereThePublishedMeanIsTooUncertain) {
  const Estimate wide = minus_known_mean(estimate_of_runs(single({9, 10, 11})), 1, {9.5, 1, 4});
  const Estimate narrow = minus_known_mean(estimate_of_runs(single({9, 10, 11})), 1, {9.5, 1, 100});

  EXPECT_FALSE(more_runs(wide, kLevel)) << "1.96 / 2 > 0.5";
  EXPECT_TRUE(more_runs(narrow, kLevel));
}

TEST(MoreRuns, OfTimesAreNoneBelowWhatRunsHaveInCommon) {
  const auto ratio = [](double factor) {
    std::vector<TimesOfTrial> trials;
    for (const double luck : {0.98, 1.0, 1.02, 1.01}) trials.push_back({{factor * luck}, {1}});
    return log_estimate(time_ratio(trials));
  };

  EXPECT_FALSE(more_runs(ratio(1.02), kLevel));
  EXPECT_LE(p_above_zero(ratio(1.2)), kLevel);
  EXPECT_NEAR(interval_of(ratio(1.2))->high,
              std::log(time_ratio({{{1.176}, {1}}, {{1.2}, {1}}, {{1.224}, {1}}, {{1.212}, {1}}}).interval->high),
              1e-12);
}

}  // namespace
}  // namespace elmx
