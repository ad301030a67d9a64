#include "features/node_draw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

using arma::mat;

constexpr uword kSamples = 40, kInputs = 3, kNodes = 150;

class PairsDraw : public testing::Test {
 protected:
  const mat X = normal_matrix(kSamples, kInputs, 5, 1);
  const mat Y = normal_matrix(kSamples, 2, 5, 2);

  /// (d + 1) x L of nodes drawn from the rows of `inputs`.
  static mat weights(const mat& inputs, const mat& targets, uword nodes = kNodes, double scale = 1) {
    const arma::uvec all = arma::regspace<arma::uvec>(0, 1, inputs.n_rows - 1);
    const Inputs train{inputs, all, Scaler::fit("none", inputs, all)};
    const TrainingSamples samples{train, targets};
    return draw_nodes({.kind = "pairs", .activation = "tanh", .scale = scale}, kRng, inputs.n_cols, nodes, &samples)
        .weights();
  }
  /// X W + 1 b.
  static mat sums(const mat& inputs, const mat& weights) {
    return arma::join_rows(inputs, arma::ones(inputs.n_rows)) * weights;
  }
};

/// The pair (a, b) with v(x_a) = -s, v(x_b) = s and w along x_b - x_a; {n, n} where there is none.
std::pair<uword, uword> pair_of(const mat& X, const arma::vec& w, const arma::vec& v, double s) {
  for (uword a = 0; a < X.n_rows; ++a) {
    for (uword b = 0; b < X.n_rows; ++b) {
      const arma::vec line = (X.row(b) - X.row(a)).t();
      const bool ends = std::abs(v(a) + s) < 1e-9 && std::abs(v(b) - s) < 1e-9;
      if (ends && arma::norm(w * arma::dot(line, line) - 2 * s * line) < 1e-9 * arma::norm(line)) return {a, b};
    }
  }
  return {X.n_rows, X.n_rows};
}

TEST_F(PairsDraw, NodesChangeBetweenTwoSamplesOfDifferentTargets) {
  mat classes(kSamples, 1);
  for (uword i = 0; i < kSamples; ++i) classes(i) = i % 5 == 0;
  for (const double scale : {1.0, 0.5}) {
    const mat drawn = weights(X, classes, kNodes, scale), v = sums(X, drawn);
    for (uword j = 0; j < kNodes; ++j) {
      const auto [a, b] = pair_of(X, drawn.col(j).head(kInputs), v.col(j), scale * std::log(3.0));
      ASSERT_LT(a, kSamples) << j;
      EXPECT_NE(classes(a), classes(b)) << j;
    }
  }
}

TEST_F(PairsDraw, ClosePairsOfVeryDifferentTargetsArePreferred) {
  const auto mean_chance = [&](const mat& drawn) {
    const mat v = sums(X, drawn);
    double sum = 0;
    for (uword j = 0; j < kNodes; ++j) {
      const auto [a, b] = pair_of(X, drawn.col(j).head(kInputs), v.col(j), std::log(3.0));
      sum += std::log(arma::abs(Y.row(b) - Y.row(a)).max() / arma::norm(X.row(b) - X.row(a)));
    }
    return sum / kNodes;
  };
  arma::running_stat<double> all;  // of pairs with equal chances
  for (uword a = 0; a < kSamples; ++a) {
    for (uword b = 0; b < a; ++b) all(std::log(arma::abs(Y.row(b) - Y.row(a)).max() / arma::norm(X.row(b) - X.row(a))));
  }
  EXPECT_GT(mean_chance(weights(X, Y)), all.mean() + 5 * all.stddev() / std::sqrt(kNodes));
}

TEST_F(PairsDraw, UnitsOfTargetsChangeNothing) {
  const mat drawn = weights(X, Y);
  for (const double unit : {1024.0, -0.5}) EXPECT_TRUE(identical(weights(X, unit * Y), drawn)) << unit;
  EXPECT_LE(relative_difference(weights(X, 1e6 * Y + 3), drawn), 1e-12);
}

TEST_F(PairsDraw, ATranslationOfTheInputsLeavesTheNodesOutputs) {
  const mat moved = X.each_row() + arma::rowvec{10, -3, 0.5};
  EXPECT_LE(relative_difference(sums(moved, weights(moved, Y)), sums(X, weights(X, Y))), 1e-10);
}

TEST_F(PairsDraw, NodeIsTheSameHoweverManyAreDrawn) {
  EXPECT_TRUE(identical(weights(X, Y, 7), mat(weights(X, Y).head_cols(7))));
}

TEST_F(PairsDraw, NodesOfEqualTargetsOrInputsAreConstant) {
  EXPECT_TRUE(weights(X, mat(kSamples, 1, arma::fill::ones)).is_zero());
  EXPECT_TRUE(weights(mat(kSamples, kInputs, arma::fill::value(0.1)), Y).is_zero());
}

/// (d + 1) x L.
arma::mat sparse_weights(uword inputs, uword nodes, double scale = 1) {
  const NodeDraw draw{.kind = "sparse", .activation = "tanh", .scale = scale};
  return draw_nodes(draw, kRng, inputs, nodes, nullptr).weights();
}

uword inputs_of(const arma::mat& weights, uword node) {
  return arma::accu(weights.col(node).head(weights.n_rows - 1) != 0);
}

TEST(DrawKinds, AreFoundByTheirNames) {
  for (const DrawKind& kind : draw_kinds()) {
    EXPECT_FALSE(kind.name.empty());
    EXPECT_EQ(&draw_kind(std::string(kind.name)), &kind);
  }
}

TEST(SparseDraw, NodesSeeOneToSixInputs) {
  for (const uword d : {1U, 2U, 5U, 30U}) {
    const arma::mat weights = sparse_weights(d, 500);
    for (uword j = 0; j < 500; ++j) {
      EXPECT_GE(inputs_of(weights, j), 1u);
      EXPECT_LE(inputs_of(weights, j), std::min<uword>(6, d));
    }
    EXPECT_GT(arma::max(arma::abs(weights.head_rows(d)), 1).min(), 0) << "an input that no node sees";
  }
}

// 4000 nodes: each number of inputs has 800 +- 25, each of 30 inputs is seen by 3.2 / 30 of the nodes, 427 +-
// 20.
TEST(SparseDraw, NumbersAndInputsHaveEqualChances) {
  const arma::mat weights = sparse_weights(30, 4000);
  std::map<uword, int> nodes_of;
  for (uword j = 0; j < 4000; ++j) ++nodes_of[inputs_of(weights, j)];
  EXPECT_EQ(nodes_of.size(), 5u);
  for (const uword m : {1U, 2U, 3U, 4U, 6U}) EXPECT_NEAR(nodes_of[m], 800, 130) << m;
  for (uword i = 0; i < 30; ++i) EXPECT_NEAR(static_cast<double>(arma::accu(weights.row(i) != 0)), 427, 100) << i;
}

TEST(SparseDraw, WeightsAreNormalOverTheRootOfTheirNumber) {
  const arma::mat weights = sparse_weights(30, 4000);
  std::map<uword, arma::running_stat<double>> lengths;  // of m, ||w||^2: mean 1, variance 2 / m
  for (uword j = 0; j < 4000; ++j) lengths[inputs_of(weights, j)](arma::accu(arma::square(weights.col(j).head(30))));
  for (const auto& [m, squares] : lengths) EXPECT_NEAR(squares.mean(), 1, 0.3) << m;
  EXPECT_NEAR(arma::mean(weights.row(30)), 0, 0.05);
  EXPECT_LE(arma::abs(weights.row(30)).max(), 1);
  EXPECT_GT(arma::abs(weights.row(30)).max(), 0.99);
}

TEST(SparseDraw, ScaleMultipliesWeightsAndWidensBiases) {
  const arma::mat one = sparse_weights(9, 100), four = sparse_weights(9, 100, 4), half = sparse_weights(9, 100, 0.5);
  EXPECT_TRUE(identical(four, arma::mat(4 * one)));
  EXPECT_TRUE(identical(arma::mat(half.head_rows(9)), arma::mat(0.5 * one.head_rows(9))));
  EXPECT_TRUE(identical(arma::mat(half.tail_rows(1)), arma::mat(one.tail_rows(1))));
}

TEST(SparseDraw, NodeIsTheSameHoweverManyAreDrawn) {
  EXPECT_TRUE(identical(arma::mat(sparse_weights(9, 40).head_cols(7)), sparse_weights(9, 7)));
}

}  // namespace
}  // namespace elmx
