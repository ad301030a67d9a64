#include <gtest/gtest.h>

#include <cmath>

#include "metrics/formulas.hpp"

namespace elmx {
namespace {

// Positive class 1: TP 6, FN 2, FP 1, TN 11.
const arma::mat two = {{11, 1}, {2, 6}};

// Rows: truth. Row sums 6, 4, 5; column sums 7, 3, 5.
const arma::mat three = {{5, 1, 0}, {2, 2, 0}, {0, 0, 5}};

TEST(Classification, ConfusionCountsTruthByRowsAndPredictionByColumns) {
  const arma::uvec truth = {0, 0, 1, 2};
  const arma::uvec predicted = {0, 2, 1, 2};

  const arma::mat C = confusion_matrix(truth, predicted, 3);

  EXPECT_TRUE(arma::approx_equal(C, arma::mat({{1, 0, 1}, {0, 1, 0}, {0, 0, 1}}), "absdiff", 0));
}

TEST(Classification, ALabelOutOfRangeIsAProgrammersError) {
  EXPECT_THROW(confusion_matrix(arma::uvec{2}, arma::uvec{0}, 2), std::logic_error);
}

TEST(Classification, TwoClassesByHand) {
  EXPECT_DOUBLE_EQ(accuracy(two), 17.0 / 20);
  EXPECT_DOUBLE_EQ(sensitivity(two, 1), 6.0 / 8);
  EXPECT_DOUBLE_EQ(precision(two, 1), 6.0 / 7);
  EXPECT_DOUBLE_EQ(sensitivity(two, 0), 11.0 / 12);
  EXPECT_DOUBLE_EQ(precision(two, 0), 11.0 / 13);
}

TEST(Classification, MatthewsOfTwoClassesIsTheTextbookFormula) {
  const double TP = 6, FN = 2, FP = 1, TN = 11;

  const double mcc = (TP * TN - FP * FN) / std::sqrt((TP + FP) * (TP + FN) * (TN + FP) * (TN + FN));

  EXPECT_NEAR(matthews(two), mcc, 1e-15);
  EXPECT_GT(std::abs(matthews(arma::mat({{11, 1}, {1, 7}})) - mcc), 1e-3);
}

TEST(Classification, MatthewsIsOneMinusOneAndZero) {
  EXPECT_DOUBLE_EQ(matthews({{3, 0}, {0, 4}}), 1);
  EXPECT_DOUBLE_EQ(matthews({{0, 3}, {4, 0}}), -1);
  EXPECT_DOUBLE_EQ(matthews({{2, 2}, {3, 3}}), 0);
  EXPECT_DOUBLE_EQ(matthews(arma::diagmat(arma::vec{1, 2, 3})), 1);
}

TEST(Classification, MatthewsIsZeroWhereAllIsPredictedAsOneClass) {
  EXPECT_DOUBLE_EQ(matthews({{3, 0}, {4, 0}}), 0);
  EXPECT_DOUBLE_EQ(matthews({{3, 1}, {0, 0}}), 0);
}

// Gorodkin's definition as a correlation: cov(X, Y) / sqrt(cov(X, X) cov(Y, Y)) of the one-hot matrices.
TEST(Classification, MatthewsOfThreeClassesIsTheCorrelationOfOneHotMatrices) {
  arma::mat X, Y;
  for (arma::uword i = 0; i < 3; ++i) {
    for (arma::uword j = 0; j < 3; ++j) {
      for (double n = 0; n < three(i, j); ++n) {
        X = arma::join_cols(X, arma::rowvec(arma::eye(3, 3).eval().row(i)));
        Y = arma::join_cols(Y, arma::rowvec(arma::eye(3, 3).eval().row(j)));
      }
    }
  }
  X.each_row() -= arma::mean(X, 0);
  Y.each_row() -= arma::mean(Y, 0);

  const double r = arma::accu(X % Y) / std::sqrt(arma::accu(X % X) * arma::accu(Y % Y));

  EXPECT_NEAR(matthews(three), r, 1e-14);
}

TEST(Classification, MacroAveragesByHand) {
  EXPECT_NEAR(macro_sensitivity(three), (5.0 / 6 + 2.0 / 4 + 1) / 3, 1e-15);
  EXPECT_NEAR(geometric_mean_sensitivity(three), std::cbrt(5.0 / 12), 1e-15);
  EXPECT_NEAR(macro_precision(three), (5.0 / 7 + 2.0 / 3 + 1) / 3, 1e-15);
  EXPECT_NEAR(macro_f1(three), (10.0 / 13 + 4.0 / 7 + 1) / 3, 1e-15);
}

// Positive where it is larger than a sample of another class: pairs, counted one by one.
TEST(Classification, AucCountsThePairsInTheRightOrder) {
  const arma::uvec truth = {0, 1, 1, 2, 0, 1, 2, 1};
  const arma::vec scores = {0.1, 0.5, 0.3, 0.3, 0.5, 0.9, -2, 0.1};
  for (const arma::uword k : {0u, 1u, 2u}) {
    double right = 0, pairs = 0;
    for (const arma::uword i : arma::uvec(arma::find(truth == k))) {
      for (const arma::uword j : arma::uvec(arma::find(truth != k))) {
        right += scores(i) > scores(j) ? 1 : scores(i) == scores(j) ? 0.5 : 0;
        ++pairs;
      }
    }
    EXPECT_DOUBLE_EQ(roc_auc(truth, k, scores), right / pairs) << k;
  }
  EXPECT_DOUBLE_EQ(roc_auc({0, 1}, 1, arma::vec{1, 1}), 0.5);
  EXPECT_TRUE(std::isnan(roc_auc({1, 1}, 1, arma::vec{1, 2}))) << "there is no pair";
}

TEST(Classification, LogLossIsFiniteForProbabilitiesOfZero) {
  EXPECT_NEAR(log_loss({0, 1}, {{0.5, 0.5}, {0.75, 0.25}}), (std::log(2) + std::log(4)) / 2, 1e-15);
  EXPECT_TRUE(std::isfinite(log_loss({0}, {{0, 1}})));
  EXPECT_GT(log_loss({0}, {{0, 1}}), 30);
}

TEST(Classification, F1IsTheHarmonicMeanOfPrecisionAndSensitivity) {
  const double pe = precision(two, 1), sn = sensitivity(two, 1);
  EXPECT_NEAR(f1_score(two, 1), 2 / (1 / pe + 1 / sn), 1e-15);
}

TEST(Classification, ARelabellingOfTheClassesChangesNoAverage) {
  const arma::uvec order = {2, 0, 1};
  const arma::mat C = three(order, order);

  EXPECT_NEAR(matthews(C), matthews(three), 1e-15);
  EXPECT_NEAR(macro_f1(C), macro_f1(three), 1e-15);
}

// Perfect and hopeless predictions of every size: rounding alone leads out of [-1, 1].
TEST(Classification, MatthewsIsACorrelation) {
  for (int n = 1; n <= 60; ++n) {
    for (int m = 1; m <= 60; ++m) {
      const arma::mat right = {{double(n), 0, 0}, {0, double(m), 0}, {0, 0, 7}},
                      wrong = {{0, double(n)}, {double(m), 0}};
      EXPECT_LE(matthews(right), 1);
      EXPECT_NEAR(matthews(right), 1, 1e-14);
      EXPECT_GE(matthews(wrong), -1);
    }
  }
}

TEST(Classification, AClassWithoutSamplesIsLeftOutAndOneNeverPredictedCountsZero) {
  const arma::mat C = {{3, 1, 0}, {2, 0, 0}, {0, 0, 0}};

  EXPECT_NEAR(macro_sensitivity(C), (3.0 / 4 + 0) / 2, 1e-15);
  EXPECT_EQ(geometric_mean_sensitivity(C), 0) << "a class was given up";
  EXPECT_NEAR(macro_precision({{3, 0}, {2, 0}}), (3.0 / 5 + 0) / 2, 1e-15);
}

TEST(Classification, ZeroOfZeroIsZeroAndWithoutASampleNothingIsAvailable) {
  EXPECT_EQ(sensitivity({{3, 1}, {0, 0}}, 1), 0);
  EXPECT_EQ(precision({{3, 0}, {4, 0}}, 1), 0);
  EXPECT_TRUE(lacks_samples({{3, 1}, {0, 0}}, 1));
  EXPECT_TRUE(never_predicted({{3, 0}, {4, 0}}, 1));
  EXPECT_TRUE(std::isnan(sensitivity(arma::zeros(2, 2), 1)));
  EXPECT_TRUE(std::isnan(macro_precision(arma::zeros(2, 2))));
  EXPECT_TRUE(std::isnan(accuracy(arma::zeros(2, 2))));
  EXPECT_TRUE(std::isnan(matthews(arma::zeros(2, 2))));
}

}  // namespace
}  // namespace elmx
