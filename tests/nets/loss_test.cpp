#include "nets/loss.hpp"

#include <gtest/gtest.h>

#include "nets/layers.hpp"

namespace elmx {
namespace {

arma::mat one_hot(uword rows, uword classes) {
  arma::mat targets(rows, classes, arma::fill::zeros);
  for (uword i = 0; i < rows; ++i) targets(i, (3 * i + 1) % classes) = 1;
  return targets;
}

/// The definitions, in long double.
long double by_definition(LossKind kind, const arma::mat& Z, const arma::mat& targets, uword samples) {
  long double sum = 0;
  for (uword i = 0; i < Z.n_rows; ++i) {
    long double partition = 0;
    for (uword o = 0; o < Z.n_cols; ++o) partition += std::exp(static_cast<long double>(Z(i, o)));
    for (uword o = 0; o < Z.n_cols; ++o) {
      const long double z = Z(i, o), target = targets(i, o);
      sum +=
          kind == LossKind::cross_entropy ? -target * std::log(std::exp(z) / partition) : (z - target) * (z - target);
    }
  }
  if (kind == LossKind::cross_entropy) return sum / static_cast<long double>(samples);
  return kind == LossKind::mse ? sum / (2 * static_cast<long double>(samples))
                               : sum / static_cast<long double>(Z.n_elem);
}

class LossTest : public testing::TestWithParam<LossKind> {};

INSTANTIATE_TEST_SUITE_P(Each, LossTest, testing::Values(LossKind::mse, LossKind::mse_mean, LossKind::cross_entropy));

TEST_P(LossTest, IsItsDefinitionAndItsGradientTheCentralDifferences) {
  for (const uword T : {1, 3}) {
    for (const uword M : {1, 7}) {
      arma::mat Z = 3 * normal_matrix(T * M, 4, 2), dZ(T * M, 4), ignored(T * M, 4), differences(T * M, 4);
      const arma::mat targets = one_hot(T * M, 4);
      const Loss<double> loss(GetParam());

      const double J = loss.evaluate(Z, targets, M, View<double>(dZ));

      EXPECT_NEAR(J, static_cast<double>(by_definition(GetParam(), Z, targets, M)), 1e-14 * J);
      for (uword e = 0; e < Z.n_elem; ++e) {
        const double before = Z(e), h = 1e-6;
        Z(e) = before + h;
        const double up = loss.evaluate(Z, targets, M, View<double>(ignored));
        Z(e) = before - h;
        differences(e) = (up - loss.evaluate(Z, targets, M, View<double>(ignored))) / (2 * h);
        Z(e) = before;
      }
      EXPECT_LE(relative_difference(dZ, differences), 1e-7);
    }
  }
}

TEST_P(LossTest, ThroughANetworkOfSequences) {
  for (const bool last : {false, true}) {
    OpenNetwork open({4, 3});
    add_recurrent(open.network, 5, Activation::tanh);
    if (last) add_last_step(open.network);
    add_dense(open.network, 3, Activation::linear);

    EXPECT_LE(
        gradient_error(open, random_signal({4, 3}, 6), 6, loss_objective(GetParam(), one_hot(last ? 6 : 24, 3), 6)),
        1e-6);
  }
}

TEST_P(LossTest, FloatAgreesWithDoubleAndViewsMayBePartsOfOthers) {
  const arma::mat Z = normal_matrix(8, 3, 2), targets = one_hot(8, 3);
  const arma::fmat narrow = as<float>(Z), narrow_targets = as<float>(targets);
  arma::fmat dZ(8, 3), room(12, 5);
  arma::mat wide_dZ(8, 3);

  const double J = Loss<float>(GetParam()).evaluate(narrow, narrow_targets, 8, View<float>(dZ));
  const arma::fmat framed = arma::join_cols(arma::fmat(4, 3, arma::fill::value(9)), narrow);
  const View<float> part = View<float>(room).block(2, 1, 8, 3);
  const double same =
      Loss<float>(GetParam()).evaluate(View<const float>(framed).block(4, 0, 8, 3), narrow_targets, 8, part);

  EXPECT_NEAR(J, Loss<double>(GetParam()).evaluate(Z, targets, 8, View<double>(wide_dZ)), 1e-6 * J);
  EXPECT_LE(relative_difference(as<double>(dZ), wide_dZ), 1e-6);
  EXPECT_EQ(same, J);
  EXPECT_EQ(relative_difference(part.copy(), dZ), 0);
}

TEST_P(LossTest, WhatIsReported) {
  arma::mat Z = normal_matrix(5, 4, 2);
  arma::mat expected = Z;
  if (GetParam() == LossKind::cross_entropy) {
    expected = arma::exp(Z);
    expected.each_col() /= arma::sum(expected, 1).eval();
  }

  Loss<double>(GetParam()).to_outputs(View<double>(Z));

  EXPECT_LE(relative_difference(Z, expected), tolerance(4, 1));
}

// exp(z) overflows here.
TEST(CrossEntropy, LargeOutputsDoNotOverflow) {
  arma::mat Z{{1000, 0, -1000}, {-2000, -2001, -2002}}, dZ(2, 3);
  const arma::mat targets{{0, 1, 0}, {1, 0, 0}};

  const double J = Loss<double>(LossKind::cross_entropy).evaluate(Z, targets, 2, View<double>(dZ));
  Loss<double>(LossKind::cross_entropy).to_outputs(View<double>(Z));

  EXPECT_NEAR(J, (1000 + std::log(1 + std::exp(-1.0) + std::exp(-2.0))) / 2, 1e-12);
  EXPECT_LE(relative_difference(arma::mat(dZ.row(0)), arma::mat{{0.5, -0.5, 0}}), 1e-15);
  EXPECT_NEAR(arma::accu(Z.row(1)), 1, 1e-15);
  EXPECT_EQ(Z(0, 0), 1);
}

TEST_P(LossTest, NotANumberShows) {
  for (uword e = 0; e < 6; ++e) {
    arma::mat Z(2, 3, arma::fill::ones), dZ(2, 3);
    Z(e) = arma::datum::nan;
    EXPECT_TRUE(std::isnan(Loss<double>(GetParam()).evaluate(Z, one_hot(2, 3), 2, View<double>(dZ)))) << e;
  }
}

}  // namespace
}  // namespace elmx
