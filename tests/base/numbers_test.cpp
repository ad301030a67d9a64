#include "base/numbers.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/machine/clock.hpp"

namespace elmx {
namespace {

MeanAndSd of(const std::vector<double>& x) {
  return mean_and_sd(x.size(), [&](std::size_t i) { return x[i]; });
}

TEST(MeanAndSd, ByHand) {
  const auto [mean, sd] = of({2, 4, 4, 4, 5, 5, 7, 9});  // squares about 5: 32

  EXPECT_DOUBLE_EQ(mean, 5);
  EXPECT_DOUBLE_EQ(sd, std::sqrt(32.0 / 7));
}

TEST(MeanAndSd, OneValueHasNoSdAndNoneHasNoMean) {
  EXPECT_EQ(of({3}).mean, 3);
  EXPECT_TRUE(std::isnan(of({3}).sd));
  EXPECT_TRUE(std::isnan(of({}).mean));
  EXPECT_TRUE(std::isnan(of({}).sd));
}

TEST(MeanAndSd, SquaresMayOverflow) {
  EXPECT_DOUBLE_EQ(of({1e300, 3e300}).sd, std::sqrt(2) * 1e300);
  EXPECT_FALSE(std::isfinite(of({1, INFINITY}).sd));
}

TEST(Seconds, OfOneMeasurementHaveNoSpreadAndOfNoneAreNone) {
  EXPECT_EQ(seconds_of({0.25}).mean, 0.25);
  EXPECT_EQ(seconds_of({0.25}).sd, 0);
  EXPECT_EQ(seconds_of({}).mean, 0);
  EXPECT_EQ(seconds_of({}).n, 0u);
  EXPECT_DOUBLE_EQ(seconds_of({1, 3}).sd, std::sqrt(2));
}

TEST(ProductOfSizes, IsTheProductWhereAWordHoldsIt) {
  EXPECT_EQ(product_of_sizes({}), 1u);
  EXPECT_EQ(product_of_sizes({3, 4, 5}), 60u);
  EXPECT_EQ(product_of_sizes({std::uint64_t{1} << 32, (std::uint64_t{1} << 32) - 1}), 0xffffffff00000000u);
  EXPECT_EQ(product_of_sizes({kTooMany, 1}), kTooMany);
}

TEST(ProductOfSizes, NeverWrapsAround) {
  EXPECT_EQ(product_of_sizes({std::uint64_t{1} << 32, std::uint64_t{1} << 32}), kTooMany);
  EXPECT_EQ(product_of_sizes({kTooMany, kTooMany, kTooMany}), kTooMany);
}

TEST(ProductOfSizes, OfNothingIsNothing) { EXPECT_EQ(product_of_sizes({kTooMany, 2, 0}), 0u); }

}  // namespace
}  // namespace elmx
