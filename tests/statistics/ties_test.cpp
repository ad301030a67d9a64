#include "statistics/ties.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/rng.hpp"
#include "statistics/hypothesis_tests.hpp"

namespace elmx {
namespace {

/// Accuracies of two algorithms on folds of n samples each, and their differences as whole multiples of 1 /
/// lcm(n).
struct Folds {
  std::vector<double> a, b;
  std::vector<double> exact;
};

Folds random_folds(std::uint64_t seed, std::size_t count) {
  const long sizes[] = {35, 36, 59, 60};
  const long common = 35L * 36 * 59 * 60;
  const Rng rng(seed, Purpose::validation);
  Folds folds;
  for (std::size_t i = 0; i < count; ++i) {
    const long n = sizes[static_cast<std::size_t>(4 * rng.uniform(3 * i))];
    const auto right = [&](std::uint64_t index) { return n - std::lround(4 * rng.uniform(index)); };
    const long of_a = right(3 * i + 1), of_b = right(3 * i + 2);
    folds.a.push_back(static_cast<double>(of_a) / static_cast<double>(n));
    folds.b.push_back(static_cast<double>(of_b) / static_cast<double>(n));
    folds.exact.push_back(static_cast<double>((of_b - of_a) * (common / n)));
  }
  return folds;
}

/// P(|W+ - W-| >= that observed) over all signs of the differences; ranks by counting, zeros by Pratt's rule.
double with_ties_by_all_signs(const std::vector<double>& d) {
  std::vector<double> ranks;
  for (const double x : d) {
    double rank = 0.5;
    for (const double y : d) rank += std::abs(y) < std::abs(x) ? 1 : std::abs(y) == std::abs(x) ? 0.5 : 0;
    ranks.push_back(x == 0 ? 0 : rank);
  }
  const auto imbalance = [&](const auto& sign) {
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) sum += sign(i) * ranks[i];
    return std::abs(sum);
  };
  const double observed = imbalance([&](std::size_t i) { return d[i] < 0 ? -1.0 : 1.0; });
  double as_extreme = 0;
  for (unsigned signs = 0; signs < (1U << d.size()); ++signs)
    as_extreme += imbalance([&](std::size_t i) { return (signs >> i) % 2 == 0 ? -1.0 : 1.0; }) >= observed - 1e-9;
  return as_extreme / std::ldexp(1.0, static_cast<int>(d.size()));
}

// 57/59 against 58/59, and 59/59: the same difference, which doubles do not give twice.
TEST(Ties, DifferencesThatAreTheSameFractionAreTied) {
  ASSERT_NE(58.0 / 59 - 57.0 / 59, 1 - 58.0 / 59);
  const std::vector<double> d = differences_of({57.0 / 59, 58.0 / 59, 1}, {58.0 / 59, 1, 58.0 / 59});

  EXPECT_EQ(d[0], d[1]);
  EXPECT_EQ(d[1], -d[2]);
}

TEST(Ties, WilcoxonOfFractionsIsThatOfWholeNumbers) {
  int differ = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Folds folds = random_folds(seed, 4 + seed % 8);
    const std::vector<double> d = differences_of(folds.a, folds.b);
    for (std::size_t i = 0; i < d.size(); ++i) EXPECT_EQ(d[i] == 0, folds.exact[i] == 0);
    if (std::all_of(d.begin(), d.end(), [](double x) { return x == 0; })) continue;
    EXPECT_NEAR(wilcoxon_test(d).p, with_ties_by_all_signs(folds.exact), 1e-12) << seed;
    std::vector<double> plain;
    for (std::size_t i = 0; i < d.size(); ++i) plain.push_back(folds.b[i] - folds.a[i]);
    differ += std::abs(wilcoxon_test(plain).p - with_ties_by_all_signs(folds.exact)) > 1e-6;
  }
  EXPECT_GT(differ, 10) << "the cases are such that plain differences go wrong";
}

TEST(Ties, WhatIsMoreThanRoundingIsNotTied) {
  const std::vector<double> small = differences_of({1, 1}, {1.1, 1.1 + 1e-12}),
                            large = differences_of({1, 1e6}, {1.1, 1e6 + 0.1});

  EXPECT_NE(small[0], small[1]);
  EXPECT_EQ(large[0], large[1]) << "0.1 at 1e6 is known to 1e-10 only";
}

TEST(Ties, PairsThatAreEqualButForRoundingDoNotDiffer) {
  EXPECT_EQ(differences_of({1, 0, -3}, {1 + 1e-12, 0, -3.1}), (std::vector<double>{0, 0, -0.10000000000000009}));
}

TEST(Ties, WhatIsInfiniteIsTiedWithNothingFinite) {
  const double infinite = std::numeric_limits<double>::infinity();

  EXPECT_FALSE(equal_but_for_rounding(infinite, 1));
  EXPECT_EQ(differences_of({1, 1, 1, infinite}, {1.5, 2, infinite, infinite}),
            (std::vector<double>{0.5, 1, infinite, 0}));
  EXPECT_EQ(tied_scores({infinite, 2, 1, infinite}), (std::vector<double>{infinite, 2, 1, infinite}));
}

/// By definition: the closure of |x - y| <= max of the tolerances.
std::vector<double> tied_by_closure(const std::vector<double>& x, const std::vector<double>& tolerance) {
  std::vector<double> group = x;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (std::abs(x[i] - x[j]) > std::max(tolerance[i], tolerance[j]) || group[i] <= group[j]) continue;
        group[i] = group[j];
        changed = true;
      }
    }
  }
  return group;
}

TEST(Ties, AreTheTransitiveClosureOfBeingNear) {
  const Rng rng(5, Purpose::validation);
  std::uint64_t index = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> x, tolerance, negated;
    for (int i = 0; i < 9; ++i) {
      x.push_back(std::round(64 * rng.uniform(index++)) / 4);
      tolerance.push_back(std::round(8 * rng.uniform(index) * rng.uniform(index + 1)) / 4);
      index += 2;
      negated.push_back(-x.back());
    }
    const std::vector<double> groups = tied(x, tolerance), mirrored = tied(negated, tolerance);
    EXPECT_EQ(groups, tied_by_closure(x, tolerance));
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_EQ(groups[i] == groups[j], mirrored[i] == mirrored[j]);
    }
  }
}

}  // namespace
}  // namespace elmx
