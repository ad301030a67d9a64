#include "metrics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace elmx {
namespace {

TEST(Statistics, MeanAndSampleSdByHand) {
  const std::vector<double> x = {2, 4, 4, 4, 5, 5, 7, 9};  // squares about 5: 32

  const Summary s = summary_of(x);

  EXPECT_EQ(s.n, 8u);
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(32.0 / 7));
}

TEST(Statistics, QuantilesByHand) {
  EXPECT_DOUBLE_EQ(quantile({2, 4, 4, 4, 5, 5, 7, 9}, 0.5), 4.5);
  EXPECT_DOUBLE_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile({40, 10, 20, 30}, 0.25), 17.5);  // place 0.75: 10 + 0.75 (20 - 10)
  EXPECT_DOUBLE_EQ(quantile({40, 10, 20, 30}, 0.75), 32.5);
  EXPECT_DOUBLE_EQ(quantile({40, 10, 20, 30}, 0), 10);
  EXPECT_DOUBLE_EQ(quantile({40, 10, 20, 30}, 1), 40);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.3), 7);
}

TEST(Statistics, OneObservationHasNoSdAndNoneHasNoMean) {
  EXPECT_DOUBLE_EQ(summary_of({3}).mean, 3);
  EXPECT_TRUE(std::isnan(summary_of({3}).sd));
  EXPECT_TRUE(std::isnan(summary_of({}).mean));
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_FALSE(interval_of_mean(summary_of({3})));
}

TEST(Statistics, PoolingPartsIsPoolingTheirObservations) {
  const Summary all = summary_of({1, 2, 4, 9, 11, 5});

  const Summary parts = pooled({summary_of({1, 2, 4}), {9, 0, 1}, summary_of({11, 5}), summary_of({})});

  EXPECT_EQ(parts.n, all.n);
  EXPECT_NEAR(parts.mean, all.mean, 1e-15 * all.mean);
  EXPECT_NEAR(parts.sd, all.sd, 1e-14 * all.sd);
}

TEST(Statistics, IntervalOfTheMeanByHand) {
  const auto interval = interval_of_mean({10, 2, 16});  // t(15) = 2.13144955

  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 10 - 2.13144955 / 2, 1e-6);
  EXPECT_NEAR(interval->high, 10 + 2.13144955 / 2, 1e-6);
  EXPECT_NEAR(interval_of_mean({10, 2, 16}, 0.01)->high, 10 + 2.94671288 / 2, 1e-6);
}

TEST(Statistics, TheIntervalOfTheInverseRatioIsTheReciprocal) {
  const Summary a = {6, 0.5, 10};
  const Summary b = {2, 0.3, 7};

  const Ratio r = ratio_of_means(a, b);
  const Ratio inverse = ratio_of_means(b, a);

  EXPECT_DOUBLE_EQ(r.value, 3);
  ASSERT_TRUE(r.interval && inverse.interval);
  EXPECT_NEAR(r.interval->low * inverse.interval->high, 1, 1e-12);
  EXPECT_LT(r.interval->low, 3);
  EXPECT_GT(r.interval->high, 3);
}

TEST(Statistics, ARatioObservedOnceHasNoInterval) {
  EXPECT_DOUBLE_EQ(ratio_of_means({6, 0, 1}, {2, 0, 1}).value, 3);
  EXPECT_FALSE(ratio_of_means({6, 0, 1}, {2, 0.1, 5}).interval);
  EXPECT_TRUE(std::isnan(ratio_of_means({6, 0, 1}, {0, 0, 1}).value));
  EXPECT_TRUE(std::isnan(ratio_of_means(summary_of({}), {1, 0, 1}).value));
}

// The definition of a 95 % interval: it covers the true ratio in 95 % of the experiments.
TEST(Statistics, TheIntervalOfARatioCoversTheTruthInAbout95Percent) {
  const Rng rng(11, Purpose::validation);
  const int experiments = 1000;
  std::uint64_t index = 0;
  int covered = 0;
  for (int e = 0; e < experiments; ++e) {
    std::vector<double> a(12);
    std::vector<double> b(8);
    for (double& x : a) x = 3 + 0.6 * rng.normal(index++);
    for (double& x : b) x = 1 + 0.1 * rng.normal(index++);
    const Ratio r = ratio_of_means(summary_of(a), summary_of(b));
    covered += r.interval->low <= 3 && 3 <= r.interval->high;
  }

  EXPECT_NEAR(covered / 1000.0, 0.95, 0.025);  // 3.6 standard deviations of the binomial
}

}  // namespace
}  // namespace elmx
