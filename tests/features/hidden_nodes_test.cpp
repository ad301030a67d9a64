#include "features/hidden_nodes.hpp"

#include <gtest/gtest.h>

#include "features/layers.hpp"
#include "features/network_output.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/semi_supervised.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

const NodeRanges kRanges{-1, 2, 0.5, 1};

Inputs all_of(const arma::mat& X) {
  const arma::uvec rows = arma::regspace<arma::uvec>(0, X.n_rows - 1);
  return {X, rows, Scaler::fit("minus_one_one", X, rows)};
}

arma::mat outputs_of(const HiddenNodes& nodes, uword count, const Inputs& inputs) {
  arma::mat H(inputs.samples(), count);
  nodes.outputs(inputs, 0, View<double>(H));
  return H;
}

TEST(HiddenNodes, NamesAreRbfAndTheActivations) {
  EXPECT_EQ(hidden_node_names(), (std::vector<std::string>{"rbf", "gaussian", "sigmoid", "hardlim", "triangular",
                                                           "sine", "linear", "tanh", "relu"}));
}

TEST(HiddenNodes, OfEveryNameDiffer) {
  const arma::mat X = normal_matrix(50, 3, 17, 1);
  const Inputs inputs = all_of(X);
  std::vector<arma::mat> seen;
  for (const std::string& name : hidden_node_names()) {
    const HiddenNodes nodes = HiddenNodes::draw(name, kRng, 3, 7, kRanges);

    const arma::mat H = outputs_of(nodes, 7, inputs);

    EXPECT_EQ(nodes.count(), 7u);
    for (const arma::mat& other : seen) EXPECT_FALSE(identical(H, other)) << name;
    seen.push_back(H);
  }
}

TEST(HiddenNodes, AreTheirDefinition) {
  const arma::mat X = normal_matrix(50, 3, 17, 1);
  const HiddenNodes layer = HiddenNodes::draw("sigmoid", kRng, 3, 7, kRanges);
  const arma::mat Z = all_of(X).scaler.apply(X, all_of(X).rows);

  EXPECT_LE(relative_difference(outputs_of(HiddenNodes::draw("sigmoid", kRng, 3, 7, kRanges), 7, all_of(X)),
                                sigmoid_by_definition(Z, layer.W, layer.b)),
            tolerance(3, 7));
  EXPECT_LE(relative_difference(outputs_of(HiddenNodes::draw("rbf", kRng, 3, 7, kRanges), 7, all_of(X)),
                                rbf_by_definition(Z, layer.W, layer.b)),
            10 * tolerance(3, 7))
      << "||a||^2 + ||x||^2 below 10";
}

TEST(HiddenNodes, UnknownNameIsRefused) {
  EXPECT_NE(thrown<ConfigError>([] { HiddenNodes::draw("rbff", kRng, 3, 7, kRanges); }).find("\"rbff\""),
            std::string::npos);
}

TEST(HiddenNodes, OnlyIsTheNodesNamedInThatOrder) {
  const arma::mat X = normal_matrix(50, 3, 17, 1);
  const Inputs inputs = all_of(X);
  const arma::uvec some{5, 0, 3};
  for (const std::string& name : hidden_node_names()) {
    const HiddenNodes nodes = HiddenNodes::draw(name, kRng, 3, 7, kRanges), kept = nodes.only(some);

    EXPECT_EQ(kept.count(), 3u);
    EXPECT_LE(relative_difference(outputs_of(kept, 3, inputs), arma::mat(outputs_of(nodes, 7, inputs).cols(some))),
              10 * tolerance(3, 7))
        << name;
    EXPECT_TRUE(identical(kept.weights(), arma::mat(nodes.weights().cols(some)))) << name;
    EXPECT_EQ(nodes.only(arma::uvec()).count(), 0u);
  }
}

TEST(HiddenNodes, WeightsAreCentresOrDirectionsWithTheBiasesBelow) {
  const HiddenNodes layer = HiddenNodes::draw("tanh", kRng, 3, 7, kRanges);
  for (const std::string& name : hidden_node_names()) {
    EXPECT_TRUE(
        identical(HiddenNodes::draw(name, kRng, 3, 7, kRanges).weights(), arma::mat(arma::join_cols(layer.W, layer.b))))
        << name;
  }
  EXPECT_GE(layer.b.min(), 0.5);
  EXPECT_LT(layer.W.min(), 0);
  EXPECT_GT(layer.W.max(), 1);
}

TEST(HiddenNodes, OutputsBeginAtTheSampleNamed) {
  const arma::mat X = normal_matrix(50, 3, 17, 1);
  const Inputs inputs = all_of(X);
  for (const char* name : {"rbf", "sine"}) {
    const HiddenNodes nodes = HiddenNodes::draw(name, kRng, 3, 7, kRanges);
    Framed<double> H(arma::mat(20, 7));

    nodes.outputs(inputs, 30, H.view());

    EXPECT_LE(relative_difference(H.content(), arma::mat(outputs_of(nodes, 7, inputs).tail_rows(20))),
              10 * tolerance(3, 7))
        << name;
    EXPECT_FALSE(H.touched());
  }
}

// Hoeffding: a mean of L products within [-2, 2] is off by more than t with probability 2 exp(-L t^2 / 8);
// here 1e-9 for each of 200 pairs.
TEST(FourierFeatures, TheirProductsAreTheGaussianKernel) {
  const uword L = 20000;
  const arma::mat X = normal_matrix(20, 3, 7, 1);
  for (const double gamma : {0.1, 0.5, 3.0}) {
    const FeatureMap<double>::Nodes nodes{
        HiddenNodes::draw(kFourier, Rng(3, Purpose::layer), 3, L, {-1, 1, 0, 1, gamma}), std::sqrt(2.0 / L)};
    const arma::mat A = columns_of(FeatureMap<double>(nodes), X), K = A * A.t();
    for (uword i = 0; i < 20; ++i) {
      for (uword j = 0; j < 20; ++j) {
        EXPECT_NEAR(K(i, j), std::exp(-gamma * arma::accu(arma::square(X.row(i) - X.row(j)))),
                    std::sqrt(8 * std::log(2e9) / L))
            << gamma;
      }
    }
  }
}

TEST(FourierFeatures, ANodeDoesNotDependOnTheOthers) {
  const HiddenNodes few = HiddenNodes::draw(kFourier, Rng(3, Purpose::layer), 4, 3, {}),
                    many = HiddenNodes::draw(kFourier, Rng(3, Purpose::layer), 4, 9, {});

  EXPECT_TRUE(identical(few.W, arma::mat(many.W.head_cols(3))));
}

// Blocks of 4096 samples: none, less than one, one, two of which the last is one sample, three.
TEST(NetworkOutput, IsTheHiddenOutputsTimesTheWeights) {
  for (const uword samples : {uword(0), uword(1), uword(100), uword(4096), uword(4097), uword(10000)}) {
    const arma::mat X = normal_matrix(std::max<uword>(samples, 1), 3, 17, 1), W = normal_matrix(7, 2, 17, 2);
    Inputs inputs = all_of(X);
    if (samples == 0) inputs.rows.reset();
    for (const char* name : {"rbf", "sigmoid"}) {
      const HiddenNodes nodes = HiddenNodes::draw(name, kRng, 3, 7, kRanges);

      const arma::mat Z = network_output(nodes, inputs, W);

      ASSERT_EQ(arma::size(Z), arma::size(samples, 2));
      EXPECT_LE(relative_difference(Z, arma::mat(outputs_of(nodes, 7, inputs) * W)), 10 * tolerance(3, 7)) << samples;
    }
  }
}

TEST(NetworkOutput, TakesTheRowsOfTheInputsInTheirOrder) {
  const arma::mat X = normal_matrix(60, 3, 17, 1), W = normal_matrix(7, 2, 17, 2);
  const arma::uvec rows{7, 59, 3, 3};
  const Inputs whole = all_of(X), some{X, rows, whole.scaler};
  const HiddenNodes nodes = HiddenNodes::draw("rbf", kRng, 3, 7, kRanges);

  EXPECT_LE(relative_difference(network_output(nodes, some, W), arma::mat(network_output(nodes, whole, W).rows(rows))),
            10 * tolerance(3, 7));
}

TEST(NetworkOutput, DoesNotDependOnTheNumberOfThreads) {
  const arma::mat X = normal_matrix(9000, 5, 17, 1), W = normal_matrix(33, 2, 17, 2);
  const HiddenNodes nodes = HiddenNodes::draw("sigmoid", kRng, 5, 33, kRanges);
  const auto on = [&](int count) {
    const Threads scope(count);
    return network_output(nodes, all_of(X), W);
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

}  // namespace
}  // namespace elmx
