#include "solvers/ridge/ridge_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace elmx {
namespace {

using Place = RidgeChoice::Place;

constexpr RidgeBounds kBounds{1e-9, 1e3};
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

/// A criterion that is least at `lambda` and of width one decade.
auto valley(double least) {
  return [least](double lambda) { return 1 + std::pow(std::log10(lambda / least), 2); };
}

TEST(ChooseRidge, FindsTheMinimumInside) {
  for (const double least : {3.3e-8, 1e-3, 0.7, 450.0}) {
    const RidgeChoice choice = choose_ridge(kBounds, valley(least));
    EXPECT_NEAR(choice.lambda / least, 1, 2e-3) << least;
    EXPECT_EQ(choice.place, Place::inside);
    EXPECT_TRUE(choice.determined);
  }
}

TEST(ChooseRidge, FindsTheGlobalMinimumOfTwoValleys) {
  const auto two = [](double lambda) { return std::min(valley(1e-6)(lambda), valley(1e1)(lambda) - 0.1); };
  EXPECT_NEAR(choose_ridge(kBounds, two).lambda, 1e1, 2e-2);
}

TEST(ChooseRidge, SaysThatTheMinimumLiesAtABound) {
  const RidgeChoice low = choose_ridge(kBounds, [](double lambda) { return lambda; });
  EXPECT_EQ(low.place, Place::lower_bound);
  EXPECT_EQ(low.lambda, kBounds.from);
  const RidgeChoice high = choose_ridge(kBounds, [](double lambda) { return 1 / lambda; });
  EXPECT_EQ(high.place, Place::upper_bound);
  EXPECT_EQ(high.lambda, kBounds.to);
  EXPECT_TRUE(high.at_bound() && high.determined);
}

TEST(ChooseRidge, TakesTheLargestOfEqualValues) {
  const auto flat_below_one = [](double lambda) { return 5 + std::max(0.0, lambda - 1); };
  EXPECT_NEAR(choose_ridge(kBounds, flat_below_one).lambda, 1, 1e-2);
  const auto rounding = [](double lambda) { return 5 * (1 + 1e-12 * std::sin(1e6 * lambda)); };
  EXPECT_EQ(choose_ridge(kBounds, rounding).place, Place::upper_bound);
}

TEST(ChooseRidge, PassesOverWhatIsNotFinite) {
  const auto lacking_below = [](double lambda) { return lambda < 1e-2 ? kNowhere : lambda; };
  const RidgeChoice choice = choose_ridge(kBounds, lacking_below);
  EXPECT_TRUE(choice.determined);
  EXPECT_GE(choice.lambda, 1e-2 * (1 - 1e-3));
  EXPECT_LE(choice.lambda, 2e-2);
  const RidgeChoice none = choose_ridge(kBounds, [](double) { return kNowhere; });
  EXPECT_FALSE(none.determined);
  EXPECT_EQ(none.lambda, kBounds.to);
}

TEST(ChooseRidge, StaysWithinTheBounds) {
  for (const RidgeBounds bounds : {kBounds, RidgeBounds{0.99995, 1.00002}, RidgeBounds{1.23456789, 9.87654321}}) {
    choose_ridge(bounds, [&](double lambda) {
      EXPECT_GE(lambda, bounds.from);
      EXPECT_LE(lambda, bounds.to);
      return valley(bounds.to * 0.999999)(lambda);
    });
    const double lambda = choose_ridge(bounds, valley(bounds.to * 0.999999)).lambda;
    EXPECT_GE(lambda, bounds.from);
    EXPECT_LE(lambda, bounds.to);
  }
  EXPECT_THROW(choose_ridge({1, 1}, valley(1)), std::logic_error);
  EXPECT_THROW(choose_ridge({0, 1}, valley(1)), std::logic_error);
}

}  // namespace
}  // namespace elmx
