#include "data/transforms/scaler.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/judge.hpp"

namespace elmx {
namespace {

/// Three rows to fit on, then two far outside their range.
const arma::mat kX = {{1, 5, -2}, {3, 5, 0}, {2, 5, 4}, {100, 7, -50}, {-100, 5, 9}};
const arma::uvec kTrain = {0, 1, 2};
const arma::uvec kAll = {0, 1, 2, 3, 4};

class AffineScaler : public testing::TestWithParam<std::string> {};

TEST_P(AffineScaler, AppliesOffsetAndFactorToEveryRow) {
  const Scaler scaler = Scaler::fit(GetParam(), kX, kTrain);

  const arma::mat Z = scaler.apply(kX, kAll);

  for (arma::uword i = 0; i < kX.n_rows; ++i) {
    const arma::rowvec expected = (kX.row(i) - scaler.offset) % scaler.factor;
    EXPECT_TRUE(arma::approx_equal(Z.row(i), expected, "absdiff", 0));
  }
}

TEST_P(AffineScaler, IsFittedOnTheGivenRowsOnly) {
  arma::mat changed = kX;
  changed.rows(3, 4) *= -1e6;

  const Scaler scaler = Scaler::fit(GetParam(), kX, kTrain);
  const Scaler other = Scaler::fit(GetParam(), changed, kTrain);

  EXPECT_TRUE(arma::approx_equal(scaler.offset, other.offset, "absdiff", 0));
  EXPECT_TRUE(arma::approx_equal(scaler.factor, other.factor, "absdiff", 0));
}

TEST_P(AffineScaler, UndoesWhatItDid) {
  const arma::uvec rows = {3, 0, 2};
  const Scaler scaler = Scaler::fit(GetParam(), kX, kTrain);

  const arma::mat back = scaler.undo(scaler.apply(kX, rows));

  EXPECT_LE(relative_difference<double>(back.cols(arma::uvec{0, 2}), arma::mat(kX.rows(rows)).cols(arma::uvec{0, 2})),
            tolerance(3, 3));
}

TEST_P(AffineScaler, FitsOneRow) {
  const Scaler scaler = Scaler::fit(GetParam(), kX, {3});
  EXPECT_TRUE(scaler.offset.is_finite());
  EXPECT_TRUE(scaler.factor.is_finite());
}

INSTANTIATE_TEST_SUITE_P(Kinds, AffineScaler, testing::ValuesIn(affine_scalings()));

arma::mat scaled(const std::string& kind) { return Scaler::fit(kind, kX, kTrain).apply(kX, kTrain); }

TEST(Scaler, OfKindNoneChangesNothing) {
  EXPECT_TRUE(arma::approx_equal(scaled("none"), kX.rows(kTrain), "absdiff", 0));
}

TEST(Scaler, ZeroOneSpansZeroToOne) {
  const arma::mat expected = {{0, 0, 0}, {1, 0, 2.0 / 6}, {0.5, 0, 1}};
  EXPECT_LE(relative_difference(scaled("zero_one"), expected), tolerance(3, 3));
}

TEST(Scaler, MinusOneOneSpansMinusOneToOne) {
  const arma::mat expected = {{-1, 0, -1}, {1, 0, -2.0 / 6}, {0, 0, 1}};
  EXPECT_LE(relative_difference(scaled("minus_one_one"), expected), tolerance(3, 3));
  EXPECT_EQ(Scaler::fit("minus_one_one", kX, kTrain).offset(0), 2);
  EXPECT_EQ(Scaler::fit("minus_one_one", kX, kTrain).factor(0), 1);
}

TEST(Scaler, StandardHasMeanZeroAndVarianceOne) {
  const arma::mat Z = scaled("standard");
  EXPECT_NEAR(arma::mean(Z.col(2)), 0, tolerance(3, 1));
  EXPECT_NEAR(arma::dot(Z.col(2), Z.col(2)) / 3, 1, tolerance(3, 1));
}

TEST(Scaler, StandardTakesMeanAndDeviationOfTheFittedRows) {
  const Scaler scaler = Scaler::fit("standard", kX, {4, 1});
  EXPECT_EQ(scaler.offset(0), -48.5);
  EXPECT_NEAR(scaler.factor(0), 1 / 51.5, tolerance(2, 1));
}

TEST(Scaler, CentredHasMeanZeroAndLargestAbsoluteValueOne) {
  const arma::mat expected = {{-1, 0, -8.0 / 10}, {1, 0, -2.0 / 10}, {0, 0, 1}};  // -2, 0, 4 less their mean 2/3
  EXPECT_LE(relative_difference(scaled("centred"), expected), tolerance(3, 3));
  EXPECT_EQ(Scaler::fit("centred", kX, kTrain).offset(0), 2);
  EXPECT_NEAR(Scaler::fit("centred", kX, {4, 1}).offset(0), -48.5, tolerance(2, 1));
  EXPECT_NEAR(Scaler::fit("centred", kX, {4, 1}).factor(0), 1 / 51.5, tolerance(2, 1));
}

TEST(Scaler, CentredStaysWithinOneWhereColumnsAreAlmostConstant) {
  const arma::vec column = {0.1, 0.1, 0.1 * (1 + 1e-14)};
  EXPECT_EQ(arma::abs(Scaler::fit("centred", column, kTrain).apply(column, kTrain)).max(), 1);
}

TEST(Scaler, GivesConstantColumnsFactorZero) {
  const arma::mat X(7, 1, arma::fill::value(0.1));  // whose mean is not exactly 0.1
  for (const std::string kind : {"zero_one", "minus_one_one", "standard", "centred"}) {
    const Scaler scaler = Scaler::fit(kind, X, {0, 1, 2, 3, 4, 5, 6});
    EXPECT_EQ(scaler.factor(0), 0) << kind;
    EXPECT_NEAR(scaler.undo(arma::mat{0.7})(0), 0.1, tolerance(7, 1)) << kind;
  }
}

TEST(Scaler, ColumnsThatAreConstantButForRoundingAreConstant) {
  for (const std::string scaling : {"zero_one", "minus_one_one", "standard", "centred"}) {
    const Scaler scaler = Scaler::fit(scaling, arma::mat{{0.3, 1}, {0.1 + 0.2, 1 + 1e-12}, {0.3, 1}}, {0, 1, 2});
    EXPECT_EQ(scaler.factor(0), 0) << scaling;
    EXPECT_GT(scaler.factor(1), 0) << scaling;
  }
}

TEST(Scaler, FillsMissingValuesWithTheMeanOfTheOthers) {
  arma::mat X = kX;
  X(1, 0) = X(3, 0) = X(4, 2) = arma::datum::nan;
  arma::mat filled = X;
  filled(1, 0) = filled(3, 0) = 1.5;      // of 1 and 2
  filled(4, 2) = (-2.0 + 0.0 + 4.0) / 3;  // of the fitted rows, none of which is missing
  for (const std::string& kind : scalings()) {
    const Scaler scaler = Scaler::fit(kind, X, kTrain, true), expected = Scaler::fit(kind, filled, kTrain);

    EXPECT_TRUE(arma::approx_equal(scaler.fill, arma::rowvec{1.5, 5, 2.0 / 3}, "absdiff", 0)) << kind;
    EXPECT_TRUE(arma::approx_equal(scaler.offset, expected.offset, "absdiff", 0)) << kind;
    EXPECT_TRUE(arma::approx_equal(scaler.factor, expected.factor, "absdiff", 0)) << kind;
    EXPECT_TRUE(arma::approx_equal(scaler.apply(X, kAll), expected.apply(filled, kAll), "absdiff", 0)) << kind;
  }
}

TEST(Scaler, TakesTheColumnsItIsTold) {
  for (const std::string& kind : scalings()) {
    const Scaler two = Scaler::fit(kind, kX, kTrain, false, {0, 2}), all = Scaler::fit(kind, kX, kTrain);
    EXPECT_EQ(two.dimension(), 2u);
    EXPECT_TRUE(
        arma::approx_equal(two.apply(kX, kAll), all.apply(kX, kAll).eval().cols(arma::uvec{0, 2}), "absdiff", 0))
        << kind;
  }
}

/// Scaled data do not depend on the unit: c X is scaled as X is.
TEST(Scaler, DoesNotDependOnTheUnit) {
  const arma::mat X = {{1, 5, -2}, {3, 7, 0}, {2, 5, 4}};
  for (const double unit : {1e150, 1e-140}) {
    for (const std::string kind : {"zero_one", "minus_one_one", "standard", "centred"}) {
      const arma::mat Z = Scaler::fit(kind, X, kTrain).apply(X, kTrain), scaled_X = unit * X,
                      same = Scaler::fit(kind, scaled_X, kTrain).apply(scaled_X, kTrain);
      EXPECT_LE(relative_difference(same, Z), 10 * tolerance(3, 3)) << kind << " in units of " << unit;
    }
  }
}

TEST(Scaler, RefusesWhatTheProgrammerGotWrong) {
  EXPECT_THROW(Scaler::fit("minmax", kX, kTrain), std::logic_error);
  EXPECT_THROW(Scaler::fit("none", kX, {}), std::logic_error);
  EXPECT_THROW(Scaler::fit("none", kX, kTrain).apply(kX.cols(0, 1), kTrain), std::logic_error);
  EXPECT_THROW(Scaler::fit("none", kX, kTrain).undo(kX.cols(0, 1)), std::logic_error);
  EXPECT_THROW(Scaler::fit("rank", kX, kTrain).undo(kX), std::logic_error);
}

}  // namespace
}  // namespace elmx
