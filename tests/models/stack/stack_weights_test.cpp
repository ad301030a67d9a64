#include "models/stack/stack_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace elmx {
namespace {

arma::mat random_matrix(arma::uword rows, arma::uword cols, std::uint64_t seed) {
  const Rng rng(seed, Purpose::synthetic);
  arma::mat M(rows, cols);
  for (arma::uword i = 0; i < M.n_elem; ++i) M(i) = 2 * rng.uniform(i) - 1;
  return M;
}

/// By definition: the best of the least squares over every set of columns whose solution is not negative.
arma::vec best_of_all_sets(const arma::mat& Z, const arma::vec& t) {
  const arma::uword m = Z.n_cols;
  arma::vec best(m, arma::fill::zeros);
  double least = arma::dot(t, t);
  for (arma::uword set = 1; set < (arma::uword{1} << m); ++set) {
    std::vector<arma::uword> columns;
    for (arma::uword j = 0; j < m; ++j) {
      if ((set >> j & 1) != 0) columns.push_back(j);
    }
    const arma::uvec P(columns);
    const arma::vec z = arma::pinv(Z.cols(P)) * t;
    const arma::vec residual = t - Z.cols(P) * z;
    if (z.min() < 0 || arma::dot(residual, residual) >= least) continue;
    least = arma::dot(residual, residual);
    best.zeros();
    best.elem(P) = z;
  }
  return best;
}

arma::vec solved(const arma::mat& Z, const arma::vec& t) { return nonnegative_least_squares(Z.t() * Z, Z.t() * t); }

void expect_optimal(const arma::mat& Z, const arma::vec& t, const arma::vec& w) {
  const arma::vec gradient = Z.t() * (t - Z * w);
  const double rounding = 1e-10 * arma::norm(Z, "fro") * arma::norm(t);
  for (arma::uword j = 0; j < w.n_elem; ++j) {
    EXPECT_GE(w(j), 0);
    EXPECT_LE(gradient(j), rounding) << "column " << j << " of weight " << w(j);
    EXPECT_TRUE(w(j) == 0 || gradient(j) >= -rounding) << "column " << j;
  }
}

TEST(NonnegativeLeastSquares, IsTheBestOfAllActiveSets) {
  arma::uword inner = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const arma::uword m = 1 + seed % 7;
    const arma::mat Z = random_matrix(20, m, seed);
    const arma::vec t = random_matrix(20, 1, 1000 + seed) + 0.1 * arma::sum(Z, 1);
    const arma::vec w = solved(Z, t);
    EXPECT_LT(arma::norm(w - best_of_all_sets(Z, t)), 1e-10) << seed;
    inner += arma::any(w > 0) && arma::any(w == 0);
  }
  EXPECT_GT(inner, 15u) << "some weights are 0 and others are not";
}

TEST(NonnegativeLeastSquares, MeetsTheConditionsOfItsMinimum) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const arma::mat Z = random_matrix(80, 50, seed) + random_matrix(80, 1, 7) * arma::rowvec(50, arma::fill::ones);
    const arma::vec t = random_matrix(80, 1, 7) + 0.3 * random_matrix(80, 1, 500 + seed);
    expect_optimal(Z, t, solved(Z, t));
  }
}

TEST(NonnegativeLeastSquares, TakesDependentAndEmptyColumns) {
  arma::mat Z = random_matrix(30, 5, 3);
  const arma::vec t = Z.col(0) + 2 * Z.col(1);
  Z.col(2) = Z.col(0);
  Z.col(3) = Z.col(0) + Z.col(1);
  Z.col(4).zeros();
  const arma::vec w = solved(Z, t);
  expect_optimal(Z, t, w);
  EXPECT_LT(arma::norm(t - Z * w), 1e-12 * arma::norm(t));
  EXPECT_EQ(w(4), 0);
}

TEST(NonnegativeLeastSquares, ColumnsOfVeryDifferentLengthsAreWeighedAlike) {
  const arma::mat Z = random_matrix(30, 4, 4), scale = arma::diagmat(arma::vec{1, 1e-9, 1e9, 3});
  const arma::vec t = arma::sum(Z, 1), w = solved(Z * scale, t);
  EXPECT_LT(arma::abs(scale.diag() % w - 1).max(), 1e-9);
}

TEST(NonnegativeLeastSquares, AStartDoesNotChangeTheSolution) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const arma::mat Z = random_matrix(20, 5, seed);
    const arma::vec t = random_matrix(20, 1, 90 + seed);
    for (std::uint64_t start = 0; start < 32; ++start) {
      arma::vec chosen(5);
      for (arma::uword j = 0; j < 5; ++j) chosen(j) = static_cast<double>(start >> j & 1);
      const arma::vec w = nonnegative_least_squares(Z.t() * Z, Z.t() * t, chosen);
      ASSERT_LT(arma::norm(w - solved(Z, t)), 1e-10) << seed << " from " << start;
    }
  }
}

/// Two outputs of three models, as one column a model.
arma::mat columns_of(const std::vector<arma::mat>& Z) {
  arma::mat all(Z.front().n_elem, Z.size());
  for (std::size_t j = 0; j < Z.size(); ++j) all.col(j) = arma::vectorise(Z[j]);
  return all;
}

std::vector<arma::mat> three_models(const arma::mat& T) {
  return {T + 0.3 * random_matrix(T.n_rows, T.n_cols, 11), 0.5 * T + 0.3 * random_matrix(T.n_rows, T.n_cols, 12),
          random_matrix(T.n_rows, T.n_cols, 13)};
}

TEST(StackWeights, AreThoseOfAllOutputsTogether) {
  const arma::mat T = random_matrix(40, 2, 10);
  const std::vector<arma::mat> Z = three_models(T);
  EXPECT_LT(arma::norm(stack_weights(Z, T, {}).weights - best_of_all_sets(columns_of(Z), arma::vectorise(T))), 1e-12);
}

TEST(StackWeights, OfOneModelIsItsShrinkage) {
  const arma::mat T = random_matrix(40, 2, 10), Z = 3 * T + random_matrix(40, 2, 11);
  EXPECT_NEAR(stack_weights({Z}, T, {}).weights(0), arma::accu(Z % T) / arma::accu(Z % Z), 1e-14);
  EXPECT_EQ(stack_weights({-Z}, T, {}).weights(0), 0);
}

TEST(StackWeights, ASampleOfWeightThreeStandsForThree) {
  const arma::mat T = random_matrix(20, 1, 10);
  const std::vector<arma::mat> Z = three_models(T);
  arma::vec s(20, arma::fill::ones);
  s(4) = 3;
  std::vector<arma::mat> repeated = Z;
  const arma::uvec rows = arma::join_cols(arma::regspace<arma::uvec>(0, 19), arma::uvec{4, 4});
  for (arma::mat& one : repeated) one = one.rows(rows);
  EXPECT_LT(arma::norm(stack_weights(Z, T, s).weights - stack_weights(repeated, T.rows(rows), {}).weights), 1e-12);
}

TEST(StackWeights, WithoutEachAreThoseOfTheOtherSamples) {
  const arma::mat T = random_matrix(12, 2, 10);
  const std::vector<arma::mat> Z = three_models(T);
  const arma::vec s = 1 + arma::regspace(0, 11) / 10;
  const StackWeights found = stack_weights(Z, T, s);
  bool differs = false;
  for (arma::uword i = 0; i < 12; ++i) {
    std::vector<arma::mat> others = Z;
    arma::mat targets = T;
    arma::vec weights = s;
    for (arma::mat& one : others) one.shed_row(i);
    targets.shed_row(i);
    weights.shed_row(i);
    const arma::vec expected = stack_weights(others, targets, weights).weights;
    EXPECT_LT(arma::norm(found.without_each.col(i) - expected), 1e-11) << i;
    differs = differs || arma::norm(expected - found.weights) > 1e-3;
  }
  EXPECT_TRUE(differs);
}

TEST(StackWeights, UseTheSamplesThatAllModelsKnow) {
  const arma::mat T = random_matrix(15, 2, 10);
  std::vector<arma::mat> Z = three_models(T), known = Z;
  Z[0].row(3).fill(arma::datum::nan);
  Z[2].row(9).fill(arma::datum::nan);
  arma::mat of_known = T;
  for (const arma::uword i : {9, 3}) {
    for (arma::mat& one : known) one.shed_row(i);
    of_known.shed_row(i);
  }
  const StackWeights found = stack_weights(Z, T, {});
  EXPECT_LT(arma::norm(found.weights - stack_weights(known, of_known, {}).weights), 1e-13);
  for (arma::uword i = 0; i < 15; ++i) EXPECT_EQ(found.without_each.col(i).has_nan(), i == 3 || i == 9) << i;
}

}  // namespace
}  // namespace elmx
