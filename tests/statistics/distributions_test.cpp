#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>

#include "statistics/summary.hpp"

namespace elmx {
namespace {

using std::numbers::pi;

/// Integral over [a, b] by Simpson's rule.
double integral(const std::function<double(double)>& f, double a, double b, int intervals = 20000) {
  const double step = (b - a) / intervals;
  double sum = f(a) + f(b);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(a + i * step);
  return sum * step / 3;
}

/// P(X > x) of a density on x >= 0 that falls off towards infinity: u = x / t turns [x, inf) into (0, 1].
double tail(const std::function<double(double)>& density, double x) {
  return integral([&](double t) { return t == 0 ? 0 : density(x / t) * x / (t * t); }, 0, 1);
}

double normal_density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * pi); }

// Simpson's error of these integrands on 20000 intervals is below 1e-10; 1e-8 is far below what a wrong
// formula gives.
constexpr double kTolerance = 1e-8;

TEST(Distributions, TheNormalTailIsTheIntegralOfItsDensity) {
  for (const double z : {0.3, 1.0, 1.959964, 4.0})
    EXPECT_NEAR(normal_two_sided(z), 2 * tail(normal_density, z), kTolerance) << z;
  EXPECT_DOUBLE_EQ(normal_two_sided(-1.5), normal_two_sided(1.5));
  EXPECT_DOUBLE_EQ(normal_two_sided(0), 1);
}

TEST(Distributions, TheStudentTailIsTheIntegralOfItsDensity) {
  for (const double v : {2.0, 3.0, 4.5, 9.0, 40.0}) {
    const double c = std::tgamma((v + 1) / 2) / (std::tgamma(v / 2) * std::sqrt(v * pi));
    for (const double t : {0.1, 0.7, 2.0, 5.0}) {
      const double expected = 2 * tail([&](double x) { return c * std::pow(1 + x * x / v, -(v + 1) / 2); }, t);
      EXPECT_NEAR(student_two_sided(t, v), expected, kTolerance) << v << " " << t;
    }
  }
}

// Of one degree of freedom T is Cauchy's, of two P(|T| > t) = 1 - t / sqrt(2 + t^2): far out, where a
// difference would have lost all digits, 1 / (t^2 + ...) is left.
TEST(Distributions, TheStudentTailOfOneAndTwoDegreesInClosedForm) {
  for (const double t : {1e-3, 0.5, 3.0, 100.0, 1e6}) {
    const double one = t > 1 ? 2 / pi * std::atan(1 / t) : 1 - 2 / pi * std::atan(t);
    const double root = std::sqrt(2 + t * t);
    EXPECT_NEAR(student_two_sided(t, 1) / one, 1, 1e-11) << t;
    EXPECT_NEAR(student_two_sided(t, 2) / (2 / (root * (root + t))), 1, 1e-11) << t;
  }
  EXPECT_EQ(student_two_sided(std::numeric_limits<double>::infinity(), 3), 0);
  EXPECT_EQ(student_two_sided(0, 3), 1);
}

TEST(Distributions, TheFisherTailIsTheIntegralOfItsDensity) {
  for (const auto& [d1, d2] : {std::pair(2.0, 4.0), std::pair(3.0, 39.0), std::pair(5.5, 6.0), std::pair(1.0, 8.0)}) {
    const double beta = std::tgamma(d1 / 2) * std::tgamma(d2 / 2) / std::tgamma((d1 + d2) / 2);
    const auto density = [&, d1 = d1, d2 = d2](double f) {
      return std::pow(d1 / d2, d1 / 2) * std::pow(f, d1 / 2 - 1) * std::pow(1 + d1 * f / d2, -(d1 + d2) / 2) / beta;
    };
    for (const double f : {0.2, 1.0, 3.69, 9.0})
      EXPECT_NEAR(fisher_upper(f, d1, d2), tail(density, f), kTolerance) << d1 << " " << f;
  }
  EXPECT_EQ(fisher_upper(0, 2, 3), 1);
  EXPECT_EQ(fisher_upper(std::numeric_limits<double>::infinity(), 2, 3), 0);
}

// Of two variables the range is |Z1 - Z2|, normal with variance 2.
TEST(Distributions, TheRangeOfTwoNormalVariablesIsTheirDistance) {
  for (const double q : {0.1, 1.0, 2.7718, 6.0})
    EXPECT_NEAR(normal_range_upper(q, 2), normal_two_sided(q / std::sqrt(2.0)), 1e-12) << q;
}

// By the definition: the density of the least of three times the probability that the others lie within q
// above it.
TEST(Distributions, TheRangeOfThreeNormalVariablesByItsDefinition) {
  const auto Phi = [](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; };
  for (const double q : {0.8, 2.0, 3.314}) {
    const double within = integral(
        [&](double least) {
          const auto second = [&](double z) { return normal_density(z) * (Phi(least + q) - Phi(least)); };
          return 3 * normal_density(least) * integral(second, least, least + q, 100);
        },
        -9, 9, 2000);
    EXPECT_NEAR(normal_range_upper(q, 3), 1 - within, 1e-8) << q;
  }
}

TEST(Distributions, BoundsOfTheRangeAreItsInverse) {
  for (const unsigned k : {2u, 5u}) {
    for (const double alpha : {0.95, 0.5, 0.01, 1e-8})
      EXPECT_NEAR(normal_range_upper(normal_range_bound(alpha, k), k) / alpha, 1, 1e-6) << k << " " << alpha;
  }
}

TEST(Distributions, NothingIsBelowTheirLeastValue) {
  EXPECT_EQ(fisher_upper(0, 3, 4), 1);
  EXPECT_EQ(normal_range_upper(0, 3), 1);
}

TEST(Distributions, BoundsOfThePublishedTables) {
  EXPECT_NEAR(student_bound(0.05, 1), 12.7062047, 1e-6);
  EXPECT_NEAR(student_bound(0.05, 2), 4.30265273, 1e-7);
  EXPECT_NEAR(student_bound(0.05, 4), 2.77644511, 1e-7);
  EXPECT_NEAR(student_bound(0.05, 30), 2.04227246, 1e-7);
  EXPECT_NEAR(student_bound(0.05, 1e7), 1.95996398, 1e-6);
  EXPECT_NEAR(student_bound(0.01, 10), 3.16927267, 1e-7);
  // Demsar 2006, table 5(a): the bound of the range over sqrt(2), k = 2 to 10, to the three digits printed.
  const double at_5[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  const double at_10[] = {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
  for (unsigned k = 2; k <= 10; ++k) {
    EXPECT_NEAR(normal_range_bound(0.05, k) / std::sqrt(2.0), at_5[k - 2], 1.1e-3) << k;
    EXPECT_NEAR(normal_range_bound(0.10, k) / std::sqrt(2.0), at_10[k - 2], 1.1e-3) << k;
  }
}

}  // namespace
}  // namespace elmx
