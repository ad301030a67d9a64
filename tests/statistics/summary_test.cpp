#include "statistics/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace elmx
