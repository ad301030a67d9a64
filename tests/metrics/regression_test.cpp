#include "metrics/regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace elmx {
namespace {

// Errors 1, 0, -2, 1 -> SSE 6; column means 2 and 4 -> SST = 2 + 8.
const arma::mat T = {{1, 2}, {3, 6}};
const arma::mat P = {{2, 2}, {1, 7}};

TEST(Regression, MseIsTheMeanOverSamplesAndOutputs) {
  EXPECT_DOUBLE_EQ(mean_squared_error(T, P), 6.0 / 4);
  EXPECT_DOUBLE_EQ(root_mean_squared_error(T, P), std::sqrt(1.5));
}

TEST(Regression, R2PoolsTheSumsOfSquaresOfTheColumns) {
  EXPECT_DOUBLE_EQ(r_squared(T, P), 1 - 6.0 / 10);
}

TEST(Regression, R2IsOneForThePerfectAndZeroForTheMean) {
  EXPECT_DOUBLE_EQ(r_squared(T, T), 1);
  EXPECT_DOUBLE_EQ(r_squared(T, arma::repmat(arma::mean(T, 0), 2, 1)), 0);
}

TEST(Regression, R2OfConstantTargetsIsNotAvailable) {
  EXPECT_TRUE(std::isnan(r_squared(arma::ones(3, 1), arma::zeros(3, 1))));
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
