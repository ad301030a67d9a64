#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

// Statistical tests have a fixed seed, hence one outcome. Their bounds are quantiles a correct generator
// exceeds for less than one seed in a thousand, scaled with the number of draws.

namespace elmx {
namespace {

constexpr std::size_t kDraws = 100000;

template <class Draw>
std::vector<double> draws(const Draw& draw) {
  std::vector<double> values(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) values[i] = draw(i);
  return values;
}

/// Mean of f over the values.
template <class F>
double mean_of(const std::vector<double>& values, const F& f) {
  double sum = 0;
  for (const double x : values) sum += f(x);
  return sum / static_cast<double>(values.size());
}

/// sqrt(n) sup |F_n - F|; 1.95 is exceeded with probability 0.001 (Kolmogorov).
template <class Cdf>
double kolmogorov_smirnov(std::vector<double> values, const Cdf& cdf) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double sup = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double F = cdf(values[i]);
    sup = std::max({sup, F - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - F});
  }
  return std::sqrt(n) * sup;
}

double standard_normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// Correlation of two streams times sqrt(n): standard normal where they are independent.
double scaled_correlation(const Rng& a, const Rng& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kDraws; ++i) sum += (a.uniform(i) - 0.5) * (b.uniform(i) - 0.5);
  return 12 * sum / std::sqrt(static_cast<double>(kDraws));
}

/// The uniform of two 32-bit words of Philox.
double uniform_of(std::uint64_t high, std::uint64_t low) {
  return std::ldexp(static_cast<double>((high << 32 | low) >> 11), -53);
}

/// The normal of four words (Box-Muller).
double normal_of(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  const double u = uniform_of(a, b) + std::ldexp(1.0, -53);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * uniform_of(c, d));
}

// The three lines "philox4x32 10" of Random123's kat_vectors: counter, key -> output.

TEST(Rng, KnownAnswerOfAllZeros) {
  const Rng rng(0, Purpose{0}, 0, 0);

  EXPECT_EQ(rng.uniform(0), uniform_of(0x6627e8d5, 0xe169c58d));
  EXPECT_DOUBLE_EQ(rng.normal(0), normal_of(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
}

TEST(Rng, KnownAnswerOfAllOnes) {
  const Rng rng(~std::uint64_t{0}, Purpose{0xff}, 0xffffffff, 0xffffff);

  EXPECT_EQ(rng.uniform(~std::uint64_t{0}), uniform_of(0x408f276d, 0x41c83b0e));
  EXPECT_DOUBLE_EQ(rng.normal(~std::uint64_t{0}), normal_of(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
}

TEST(Rng, KnownAnswerOfTheDigitsOfPi) {
  // counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0
  const Rng rng(0x299f31d0a4093822, Purpose{0x03}, 0x13198a2e, 0x707344);

  EXPECT_EQ(rng.uniform(0x85a308d3243f6a88), uniform_of(0xd16cfe09, 0x94fdcceb));
  EXPECT_DOUBLE_EQ(rng.normal(0x85a308d3243f6a88), normal_of(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(Rng, DrawIsAPureFunctionOfItsArguments) {
  const Rng rng(7, Purpose::layer, 2, 3);
  const Rng same(7, Purpose::layer, 2, 3);
  const double first = rng.uniform(5);
  const double gaussian = rng.normal(5);

  static_cast<void>(rng.uniform(6));
  static_cast<void>(rng.normal(4));
  static_cast<void>(rng.permutation(9));

  EXPECT_EQ(rng.uniform(5), first);
  EXPECT_EQ(rng.normal(5), gaussian);
  EXPECT_EQ(same.uniform(5), first);
  EXPECT_EQ(same.normal(5), gaussian);
  EXPECT_EQ(same.permutation(9), rng.permutation(9));
}

TEST(Rng, StreamsThatDifferInOneArgumentAreUncorrelated) {
  const Rng rng(7, Purpose::layer, 1, 1);

  EXPECT_LT(std::abs(scaled_correlation(rng, Rng(8, Purpose::layer, 1, 1))), 3.3);
  EXPECT_LT(std::abs(scaled_correlation(rng, Rng(7, Purpose::split, 1, 1))), 3.3);
  EXPECT_LT(std::abs(scaled_correlation(rng, Rng(7, Purpose::layer, 2, 1))), 3.3);
  EXPECT_LT(std::abs(scaled_correlation(rng, Rng(7, Purpose::layer, 1, 2))), 3.3);
  EXPECT_LT(std::abs(scaled_correlation(rng, Rng(7 + (std::uint64_t{1} << 32), Purpose::layer, 1, 1))), 3.3);
  EXPECT_GT(std::abs(scaled_correlation(rng, rng)), 300);
}

TEST(Rng, UniformHasItsMomentsAndDistribution) {
  const Rng rng(7, Purpose::layer);

  const auto values = draws([&](std::size_t i) { return rng.uniform(i); });

  // Standard deviations of one term: x: sqrt(1/12), (x - 1/2)^2: sqrt(1/180).
  const double bound = 3.3 / std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(mean_of(values, [](double x) { return x; }), 0.5, bound * std::sqrt(1.0 / 12));
  EXPECT_NEAR(mean_of(values, [](double x) { return (x - 0.5) * (x - 0.5); }), 1.0 / 12, bound * std::sqrt(1.0 / 180));
  EXPECT_LT(kolmogorov_smirnov(values, [](double x) { return x; }), 1.95);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.0);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 1.0);
}

TEST(Rng, NormalHasItsMomentsAndDistribution) {
  const Rng rng(7, Purpose::layer);

  const auto values = draws([&](std::size_t i) { return rng.normal(i); });

  // Variances of x, x^2, x^3, x^4: 1, 2, 15, 96.
  const double bound = 3.3 / std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(mean_of(values, [](double x) { return x; }), 0, bound);
  EXPECT_NEAR(mean_of(values, [](double x) { return x * x; }), 1, bound * std::sqrt(2.0));
  EXPECT_NEAR(mean_of(values, [](double x) { return x * x * x; }), 0, bound * std::sqrt(15.0));
  EXPECT_NEAR(mean_of(values, [](double x) { return x * x * x * x; }), 3, bound * std::sqrt(96.0));
  EXPECT_LT(kolmogorov_smirnov(values, standard_normal_cdf), 1.95);
}

TEST(Rng, NeighbouringDrawsAreUncorrelated) {
  const Rng rng(7, Purpose::layer);

  const auto products = draws([&](std::size_t i) { return rng.normal(i) * rng.normal(i + 1); });

  EXPECT_NEAR(mean_of(products, [](double x) { return x; }), 0, 3.3 / std::sqrt(static_cast<double>(kDraws)));
}

TEST(Rng, KolmogorovSmirnovRejectsASlightlyWrongDistribution) {
  const Rng rng(7, Purpose::layer);

  const auto shifted = draws([&](std::size_t i) { return rng.normal(i) + 0.02; });

  EXPECT_GT(kolmogorov_smirnov(shifted, standard_normal_cdf), 1.95);
}

TEST(Rng, PermutationHoldsEveryNumberOnce) {
  const Rng rng(7, Purpose::split);

  auto order = rng.permutation(1000);

  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  std::vector<std::uint64_t> all(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) all[i] = i;
  EXPECT_EQ(order, all);
}

TEST(Rng, PermutationIsTheOneOfAnIndependentImplementation) {
  // Philox and Fisher-Yates written anew in another language.
  EXPECT_EQ(Rng(7, Purpose::split, 1, 2).permutation(10), (std::vector<std::uint64_t>{3, 2, 8, 1, 9, 6, 4, 5, 7, 0}));
}

TEST(Rng, PermutationOfNoneAndOne) {
  const Rng rng(7, Purpose::split);

  EXPECT_TRUE(rng.permutation(0).empty());
  EXPECT_EQ(rng.permutation(1), std::vector<std::uint64_t>{0});
}

TEST(Rng, PermutationsOfFourAreEquallyLikely) {
  constexpr int kTrials = 24000;
  std::array<int, 256> count{};

  for (std::uint32_t repeat = 0; repeat < kTrials; ++repeat) {
    const auto p = Rng(7, Purpose::split, repeat).permutation(4);
    ++count[p[0] << 6 | p[1] << 4 | p[2] << 2 | p[3]];
  }

  // Chi-square of 24 cells, 23 degrees of freedom: 49.7 is exceeded with probability 0.001.
  const auto kinds = std::count_if(count.begin(), count.end(), [](int n) { return n > 0; });
  const double expected = kTrials / 24.0;
  double chi_square = 0;
  for (const int n : count) chi_square += n > 0 ? (n - expected) * (n - expected) / expected : 0;
  EXPECT_EQ(kinds, 24);
  EXPECT_LT(chi_square, 49.7);
}

}  // namespace
}  // namespace elmx
