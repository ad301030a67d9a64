#include "features/draws/sparse_draw.hpp"

#include <gtest/gtest.h>

#include <map>

#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

/// (d + 1) x L.
arma::mat sparse_weights(uword inputs, uword nodes, double scale = 1) {
  const NodeDraw draw{.kind = "sparse", .activation = "tanh", .scale = scale};
  return draw_nodes(draw, kRng, inputs, nodes, nullptr).weights();
}

uword inputs_of(const arma::mat& weights, uword node) {
  return arma::accu(weights.col(node).head(weights.n_rows - 1) != 0);
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
