#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"
#include "data/transforms/inputs.hpp"
#include "data/transforms/scaler.hpp"
#include "support/judge.hpp"

namespace elmx {
namespace {

using arma::mat;
using arma::uvec;
using arma::uword;
using arma::vec;

constexpr double kDigits = 1e-12;

uvec all_of(uword n) { return arma::regspace<uvec>(0, 1, n - 1); }

double probability_below(double q) { return std::erfc(-q / std::sqrt(2.0)) / 2; }

/// (#{u < x} + #{u <= x}) / (2n) by its definition.
double share_below(const vec& u, double x) {
  return static_cast<double>(arma::accu(u < x) + arma::accu(u <= x)) / (2.0 * static_cast<double>(u.n_elem));
}

vec normals(uword n, std::uint64_t seed) {
  const Rng rng(seed, Purpose::split);
  vec values(n);
  for (uword i = 0; i < n; ++i) values(i) = rng.normal(i);
  return values;
}

/// Few values with many ties, a column of 0 and 1, and values that differ.
mat small_columns() {
  const uword n = 300;
  mat X(n, 3);
  X.col(0) = arma::round(2 * normals(n, 1));
  X.col(1) = arma::conv_to<vec>::from(normals(n, 2) > 1);
  X.col(2) = normals(n, 3);
  return X;
}

mat scaled(const mat& fitted, const mat& X) {
  return Scaler::fit("rank", fitted, all_of(fitted.n_rows)).apply(X, all_of(X.n_rows));
}

RankMap map_of(const vec& values) { return RankMap({RankMap::fit(arma::sort(values))}); }

TEST(Ranks, AreNormalQuantilesOfTheSharesBelow) {
  const mat X = small_columns();
  const mat Z = scaled(X, X);
  for (uword j = 0; j < X.n_cols; ++j) {
    const RankMap map = map_of(X.col(j));
    for (uword i = 0; i < X.n_rows; ++i)
      EXPECT_NEAR(probability_below(map(0, X(i, j))), share_below(X.col(j), X(i, j)), kDigits);
    vec q = X.col(j);
    q.transform([&](double x) { return map(0, x); });
    EXPECT_LE(relative_difference<double>(Z.col(j) * arma::stddev(q, 1), q), kDigits);
    EXPECT_NEAR(arma::stddev(Z.col(j), 1), 1, kDigits);
  }
}

TEST(Ranks, DoNotChangeWithTheUnitOrShapeOfAColumn) {
  const mat X = arma::join_rows(normals(900, 1), arma::round(2 * normals(900, 2)));
  const mat Z = scaled(X, X);
  EXPECT_TRUE(arma::approx_equal(scaled(arma::exp(X), arma::exp(X)), Z, "absdiff", 0));
  EXPECT_TRUE(arma::approx_equal(scaled(1e9 * X + 7, 1e9 * X + 7), Z, "absdiff", 0));
  EXPECT_LE(relative_difference<double>(scaled(-X, -X), -Z), kDigits);
}

/// Values that are no knots are joined by lines in the units of the column.
TEST(Ranks, OfManyValuesNearlyDoNotChangeWithTheShapeOfAColumn) {
  const mat X = normals(5000, 1), Z = scaled(X, X);
  for (const mat& other : {mat(arma::exp(3 * X)), mat(X % X % X)})
    EXPECT_LE(arma::abs(scaled(other, other) - Z).max(), 0.02);
}

TEST(Ranks, JoinTrainingValuesByLines) {
  const vec u = {-3, 1, 1, 5};
  const RankMap map = map_of(u);
  const double low = map(0, -3), middle = map(0, 1), high = map(0, 5);
  EXPECT_EQ(map(0, -100), low);
  EXPECT_EQ(map(0, 1e150), high);
  EXPECT_NEAR(map(0, -2), low + (middle - low) / 4, kDigits);
  EXPECT_NEAR(map(0, 4), middle + (high - middle) * 3 / 4, kDigits);
  EXPECT_NEAR(low, -high, kDigits);
  EXPECT_NEAR(middle, 0, kDigits) << "two equal values share the middle";
  EXPECT_TRUE(std::isnan(map(0, arma::datum::nan)));
}

TEST(Ranks, NeverDescend) {
  const RankMap map = map_of(normals(3000, 4));
  double last = map(0, -6);
  for (double x = -6; x < 6; x += 1e-4) {
    EXPECT_GE(map(0, x), last) << x;
    last = map(0, x);
  }
}

/// Of smooth, heavy-tailed and half-constant columns: the bound 2h holds at every training value.
TEST(Ranks, OfManyValuesAreNearlyThoseOfAll) {
  const uword n = 20000;
  const vec normal = normals(n, 5), ratio = normal / normals(n, 6);
  vec half = normal;
  half.elem(arma::find(normals(n, 7) > 0)).fill(0.1);
  for (const vec& u : {normal, vec(ratio % ratio % ratio), half}) {
    const vec sorted = arma::sort(u);
    const RankMap map = map_of(u);
    const double h = (map(0, sorted.back()) - map(0, sorted.front())) / (kRankKnots - 1);
    EXPECT_LE(map.values().n_elem, kRankKnots);
    EXPECT_GE(map.values().n_elem, kRankKnots / 3);
    EXPECT_EQ(map.values().front(), sorted.front());
    EXPECT_EQ(map.values().back(), sorted.back());
    EXPECT_LT(2 * h, 0.02);
    for (uword i = 0; i < n; i += 53) {
      const double q = map(0, u(i)), F = share_below(u, u(i));
      EXPECT_LE(probability_below(q - 2 * h), F) << u(i);
      EXPECT_GE(probability_below(q + 2 * h), F) << u(i);
    }
  }
}

TEST(Ranks, AConstantColumnIsZero) {
  const mat Z = scaled(mat{{0.3, 2}, {0.1 + 0.2, 1}, {0.3, 2}}, mat{{7, 1}, {-7, 2}, {0.3, 1}});
  EXPECT_TRUE(arma::all(Z.col(0) == 0));
  EXPECT_TRUE(arma::all(Z.col(1) != 0));
}

/// So many columns that they are sorted in two groups.
TEST(Ranks, OfAColumnDoNotDependOnTheOthers) {
  const mat X = small_columns(), Z = scaled(X, X), many = arma::repmat(X, 1, 10000);
  EXPECT_TRUE(arma::approx_equal(scaled(many, many), arma::repmat(Z, 1, 10000), "absdiff", 0));
}

TEST(Ranks, DoNotChangeWhereAllRowsAreRepeated) {
  const mat X = small_columns();
  const uvec rows = arma::repmat(all_of(X.n_rows), 3, 1);
  EXPECT_LE(relative_difference<double>(Scaler::fit("rank", X, rows).apply(X, all_of(X.n_rows)), scaled(X, X)),
            kDigits);
}

TEST(Ranks, InBlocksOfSinglesAreThoseOfAll) {
  const mat X = small_columns();
  const Inputs inputs{X, all_of(X.n_rows), Scaler::fit("rank", X, all_of(X.n_rows))};
  arma::fmat block(20, 3);
  inputs.block(100, 20, block.memptr());
  const mat Z = scaled(X, X);
  EXPECT_TRUE(arma::approx_equal(block, arma::conv_to<arma::fmat>::from(Z.rows(100, 119)), "absdiff", 0));
}

}  // namespace
}  // namespace elmx
