#include <gtest/gtest.h>

#include <cmath>

#include "metrics/formulas.hpp"

namespace elmx {
namespace {

// Errors 1, -2 and 0, 1 -> SSE 5 and 1; column means 2 and 4 -> SST 2 and 8.
const arma::mat T = {{1, 2}, {3, 6}};
const arma::mat P = {{2, 2}, {1, 7}};

TEST(Regression, MseIsTheMeanOverSamplesAndOutputs) {
  EXPECT_DOUBLE_EQ(mean_squared_error(T, P), 6.0 / 4);
  EXPECT_DOUBLE_EQ(root_mean_squared_error(T, P), std::sqrt(1.5));
}

constexpr double kR2 = (1 - 5.0 / 2 + 1 - 1.0 / 8) / 2;

TEST(Regression, R2IsThePlainMeanOverTheTargets) { EXPECT_DOUBLE_EQ(r_squared(T, P), kR2); }

TEST(Regression, AbsoluteErrorsByHand) {
  EXPECT_DOUBLE_EQ(mean_absolute_error(T, P), 4.0 / 4);
  EXPECT_DOUBLE_EQ(median_absolute_error(T, P), (1.5 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(median_absolute_error(arma::vec{0, 0, 0}, arma::vec{-7, 1, 2}), 2);
  EXPECT_TRUE(std::isnan(median_absolute_error(arma::vec{0, 0}, arma::vec{NAN, 1})));
}

TEST(Regression, TheUnitOfATargetDoesNotChangeR2) {
  const arma::rowvec units = {1, 1e6};
  EXPECT_NEAR(r_squared(T.each_row() % units, P.each_row() % units), kR2, 1e-12);
}

TEST(Regression, R2IsOneForThePerfectAndZeroForTheMean) {
  EXPECT_DOUBLE_EQ(r_squared(T, T), 1);
  EXPECT_DOUBLE_EQ(r_squared(T, arma::repmat(arma::mean(T, 0), 2, 1)), 0);
}

TEST(Regression, R2OfConstantTargetsIsNotAvailable) {
  EXPECT_TRUE(std::isnan(r_squared(arma::ones(3, 1), arma::zeros(3, 1))));
}

// 0.1 and 0.3 - 0.2 are the same target; so are 1e6 and its neighbour. A column that is constant says nothing
// of the others.
TEST(Regression, TargetsThatAreConstantButForRoundingAreConstant) {
  EXPECT_TRUE(std::isnan(r_squared(arma::vec{0.1, 0.3 - 0.2, 0.1}, arma::vec{0.2, 0.3, 0.1})));
  EXPECT_TRUE(std::isnan(r_squared(arma::vec(1000, arma::fill::value(0.1)), arma::vec(1000, arma::fill::ones))));
  EXPECT_FALSE(std::isnan(r_squared(arma::vec{1e6, 1e6 + 1e-6}, arma::vec{1e6, 1e6})));
  const arma::mat with_constant = arma::join_rows(T, arma::vec{1e9 / 3, 1e9 / 3});
  EXPECT_DOUBLE_EQ(r_squared(with_constant, arma::join_rows(P, arma::vec{1e9 / 3, 1e9 / 3})), r_squared(T, P));
}

// By definition, of numbers scaled by a power of two: nothing but the scale changes.
TEST(Regression, WhatCanBeRepresentedIsAvailableAtEveryScale) {
  for (const int power : {-1000, -600, -300, 0, 300, 600, 1000}) {
    const arma::mat scaled_T = std::ldexp(1.0, power) * T, scaled_P = std::ldexp(1.0, power) * P;
    EXPECT_EQ(root_mean_squared_error(scaled_T, scaled_P), std::ldexp(std::sqrt(1.5), power)) << power;
    EXPECT_EQ(mean_squared_error(scaled_T, scaled_P), std::ldexp(1.5, 2 * power))
        << power << ": infinite, or 0, where no double is so large, or so small";
    EXPECT_DOUBLE_EQ(r_squared(scaled_T, scaled_P), kR2) << power;
  }
}

TEST(Regression, WithoutASampleNothingIsAvailable) {
  EXPECT_TRUE(std::isnan(mean_squared_error(arma::mat(0, 2), arma::mat(0, 2))));
  EXPECT_TRUE(std::isnan(r_squared(arma::mat(0, 2), arma::mat(0, 2))));
}

TEST(Regression, ShapesMustAgree) {
  EXPECT_THROW(mean_squared_error(arma::zeros(3, 1), arma::zeros(1, 3)), std::logic_error);
}

}  // namespace
}  // namespace elmx
