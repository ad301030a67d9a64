#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/calibration.hpp"

namespace elmx {
namespace {

// f(x) = 10; without the samples 9, 10.5, 12 and 10; residuals 1, -2, 0.5 and 3.
TEST(JackknifePlus, BoundsAreTheOrderStatisticsOfTheirDefinition) {
  arma::cube changes(1, 4, 1);
  changes.slice(0) = arma::rowvec{1, -0.5, -2, 0};
  const arma::mat residuals = arma::vec{1, -2, 0.5, 3};

  // f - R: 8, 8.5, 11.5, 7; f + R: 10, 12.5, 12.5, 13. Of 4 samples 0.8 asks for all, 0.6 for the third.
  const Intervals all = jackknife_plus(arma::mat{10.0}, changes, residuals, 0.8),
                  some = jackknife_plus(arma::mat{10.0}, changes, residuals, 0.6);
  EXPECT_EQ(all.lower(0), 7);
  EXPECT_EQ(all.upper(0), 13);
  EXPECT_EQ(some.lower(0), 8);
  EXPECT_EQ(some.upper(0), 12.5);
}

TEST(JackknifePlus, RankIsNotMovedByTheRoundingOfTheLevel) {
  EXPECT_EQ(jackknife_rank(0.55, 99), 55u);
  EXPECT_EQ(jackknife_rank(0.9, 9), 9u);
  EXPECT_EQ(jackknife_rank(0.9, 8), 9u) << "more than there are";
  EXPECT_EQ(jackknife_rank(0.9, 999), 900u);
  EXPECT_EQ(jackknife_rank(0.901, 999), 901u);
}

// The mean of 30 normal numbers, without each of them: (30 z - y_i) / 29.
TEST(JackknifePlus, CoversAsOftenAsItSays) {
  constexpr int kRuns = 4000;
  constexpr arma::uword m = 30;
  arma::arma_rng::set_seed(9);
  int inside = 0;
  for (int run = 0; run < kRuns; ++run) {
    const arma::vec y(m, arma::fill::randn);
    const double mean = arma::mean(y), next = arma::randn();
    const arma::vec without = (m * mean - y) / (m - 1);
    arma::cube changes(1, m, 1);
    changes.slice(0) = (mean - without).t();
    const Intervals of = jackknife_plus(arma::mat{mean}, changes, y - without, 0.8);
    inside += of.lower(0) <= next && next <= of.upper(0);
  }
  // The rank is ceil(0.8 * 31) = 25 of 31 places: 0.806; three standard errors are 0.019.
  EXPECT_NEAR(static_cast<double>(inside) / kRuns, 25.0 / 31, 0.019);
}

TEST(JackknifePlus, TargetsHaveBoundsOfTheirOwn) {
  arma::cube changes(2, 3, 2, arma::fill::zeros);
  const arma::mat residuals{{1, 10}, {2, 20}, {3, 30}};
  const Intervals of = jackknife_plus(arma::mat{{0, 100}, {5, 200}}, changes, residuals, 0.75);
  EXPECT_EQ(of.upper(0, 0), 3);
  EXPECT_EQ(of.upper(1, 1), 230);
  EXPECT_EQ(of.lower(1, 0), 2);
  EXPECT_EQ(of.lower(0, 1), 70);
}

}  // namespace
}  // namespace elmx
