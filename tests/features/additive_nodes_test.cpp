#include <gtest/gtest.h>

#include <cmath>

#include "features/hidden_nodes.hpp"
#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

/// Rows of X in an order of their own, some twice, scaled by what was fitted on other rows.
Inputs some_inputs(const arma::mat& X, uword samples) {
  arma::uvec rows(samples);
  for (uword i = 0; i < samples; ++i) rows(i) = (i * 7919 + 3) % X.n_rows;
  return {X, rows, Scaler::fit("minus_one_one", X, arma::regspace<arma::uvec>(0, X.n_rows / 2))};
}

/// f(x W + b) sample by sample, as it is defined; sigmoid.
arma::mat sigmoid_by_loops(const HiddenNodes& layer, const Inputs& inputs, uword nodes) {
  arma::mat H(inputs.samples(), nodes);
  for (uword n = 0; n < H.n_rows; ++n) {
    for (uword j = 0; j < nodes; ++j) {
      double v = layer.b(j);
      for (uword i = 0; i < inputs.dimension(); ++i) {
        v += (inputs.X.matrix()(inputs.rows(n), i) - inputs.scaler.offset(i)) * inputs.scaler.factor(i) * layer.W(i, j);
      }
      H(n, j) = 1 / (1 + std::exp(-v));
    }
  }
  return H;
}

TEST(AdditiveNodes, NodeIsTheSameHoweverManyAreDrawn) {
  const NodeRanges ranges;

  const HiddenNodes few = HiddenNodes::draw("sine", kRng, 5, 3, ranges);
  const HiddenNodes many = HiddenNodes::draw("sine", kRng, 5, 40, ranges);

  EXPECT_TRUE(identical(few.W, arma::mat(many.W.head_cols(3))));
  EXPECT_TRUE(identical(few.b, arma::rowvec(many.b.head(3))));
}

TEST(AdditiveNodes, DrawsDependOnSeedRepeatAndFoldOnly) {
  const auto weights = [](const Rng& rng) { return HiddenNodes::draw("sine", rng, 5, 7, {}).W; };

  EXPECT_TRUE(identical(weights(kRng), weights(Rng(17, Purpose::layer, 2, 1))));
  EXPECT_FALSE(identical(weights(kRng), weights(Rng(18, Purpose::layer, 2, 1))));
  EXPECT_FALSE(identical(weights(kRng), weights(Rng(17, Purpose::layer, 3, 1))));
  EXPECT_FALSE(identical(weights(kRng), weights(Rng(17, Purpose::layer, 2, 2))));
}

TEST(AdditiveNodes, NoTwoNodesShareADraw) {
  const HiddenNodes layer = HiddenNodes::draw("sine", kRng, 6, 50, {0, 1, 0, 1});

  const arma::vec all = arma::join_cols(arma::vectorise(layer.W), layer.b.t());

  EXPECT_EQ(arma::vec(arma::unique(all)).n_elem, all.n_elem);
}

TEST(AdditiveNodes, WeightsFillTheirRangesAndDoNotLeaveThem) {
  const HiddenNodes layer = HiddenNodes::draw("sine", kRng, 20, 500, {-0.25, 0.75, 2, 3});

  // 10000 and 500 draws: the extremes are within 1e-2 and 5e-2 of the ends but for a chance of exp(-25).
  EXPECT_GE(layer.W.min(), -0.25);
  EXPECT_LT(layer.W.max(), 0.75);
  EXPECT_LT(layer.W.min(), -0.24);
  EXPECT_GT(layer.W.max(), 0.74);
  EXPECT_GE(layer.b.min(), 2);
  EXPECT_LT(layer.b.max(), 3);
  EXPECT_LT(layer.b.min(), 2.05);
  EXPECT_GT(layer.b.max(), 2.95);
  EXPECT_NEAR(arma::mean(arma::vectorise(layer.W)), 0.25, 5 * std::sqrt(1.0 / 12 / 10000));
}

TEST(AdditiveNodes, OutputsAreTheDefinition) {
  for (const auto& [samples, inputs, nodes] :
       std::vector<std::array<uword, 3>>{{1, 1, 1}, {30, 4, 7}, {513, 3, 5}, {1500, 21, 18}, {1, 9, 33}}) {
    const arma::mat X = 10 * normal_matrix(600, inputs, 17, 1);
    const Inputs seen = some_inputs(X, samples);
    const HiddenNodes layer = HiddenNodes::draw("sigmoid", kRng, inputs, nodes + 2, {-3, 3, -1, 1});
    Framed<double> H(arma::mat(samples, nodes));
    Framed<float> in_float(arma::fmat(samples, nodes));

    layer.outputs(seen, 0, H.view());
    layer.outputs(seen, 0, in_float.view());

    // v has d + 1 terms of up to 3 (and an offset) each, f' <= 1/4.
    const arma::mat exact = sigmoid_by_loops(layer, seen, nodes);
    EXPECT_LE(relative_difference(H.content(), exact), tolerance(inputs, 3))
        << samples << " x " << inputs << " x " << nodes;
    EXPECT_LE(relative_difference(arma::conv_to<arma::mat>::from(in_float.content()), exact),
              tolerance<float>(inputs, 3));
    EXPECT_FALSE(H.touched());
    EXPECT_FALSE(in_float.touched());
  }
}

template <class T>
class AdditiveNodesTest : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(AdditiveNodesTest, Reals);

// The blocks of 4096 in which a prediction is made are multiples of the 512 of the layer.
TYPED_TEST(AdditiveNodesTest, BlocksOfSamplesAreAllAtOnceBitForBit) {
  using T = TypeParam;
  const arma::mat X = normal_matrix(600, 11, 17, 1);
  const Inputs seen = some_inputs(X, 1700);
  for (const ActivationInfo& row : activations()) {
    const HiddenNodes layer = HiddenNodes::draw(std::string(row.name), kRng, 11, 37, {});
    arma::Mat<T> whole(1700, 37), blocks(1700, 37);

    layer.outputs(seen, 0, View<T>(whole));
    for (uword first = 0; first < 1700; first += 512) {
      const uword count = std::min(uword(512), 1700 - first);
      layer.outputs(seen, first, View<T>(blocks).block(first, 0, count, 37));
    }

    EXPECT_TRUE(identical(whole, blocks)) << row.name;
  }
}

TYPED_TEST(AdditiveNodesTest, DoesNotDependOnTheNumberOfThreads) {
  using T = TypeParam;
  const arma::mat X = normal_matrix(600, 11, 17, 1);
  const Inputs seen = some_inputs(X, 3000);
  const HiddenNodes layer = HiddenNodes::draw("gaussian", kRng, 11, 37, {});
  const auto outputs = [&](int count) {
    const Threads scope(count);
    arma::Mat<T> H(3000, 37);
    layer.outputs(seen, 0, View<T>(H));
    return H;
  };

  EXPECT_TRUE(identical(outputs(1), outputs(2)));
}

TEST(AdditiveNodes, RefusesMoreThanThereIs) {
  const arma::mat X = normal_matrix(10, 3, 17, 1);
  const Inputs seen = some_inputs(X, 10);
  const HiddenNodes layer = HiddenNodes::draw("sine", kRng, 3, 4, {});
  arma::mat nodes(10, 5), samples(11, 4), late(10, 4);

  EXPECT_THROW(layer.outputs(seen, 0, View<double>(nodes)), std::logic_error);
  EXPECT_THROW(layer.outputs(seen, 0, View<double>(samples)), std::logic_error);
  EXPECT_THROW(layer.outputs(seen, 1, View<double>(late)), std::logic_error);
}

}  // namespace
}  // namespace elmx
