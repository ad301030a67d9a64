#include "features/broad_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

const std::vector<BroadStep> kSteps{{2, 0, 4}, {1, 2, 3}, {0, 0, 5}, {2, 3, 0}};

/// 40 training and 25 other samples of 5 inputs with an offset; two training samples and one other are
/// constant.
struct Data {
  arma::mat X = 3 * normal_matrix(65, 5, 7, 1) + 2;
  Inputs train, test;

  Data()
      : train{X, arma::regspace<arma::uvec>(0, 39), scaler()}, test{X, arma::regspace<arma::uvec>(40, 64), scaler()} {
    for (const uword row : {uword(3), uword(11), uword(50)}) X.row(row).fill(1.5);
  }
  static Scaler scaler() { return Scaler::fit("none", arma::mat(2, 5), arma::uvec{0, 1}); }
};

template <class T>
struct Fitted {
  Fitted(const BroadFeatureMap& map, const Data& data, const std::vector<BroadStep>& steps = kSteps,
         const Rng& rng = kRng)
      : features(map, steps, data.train, rng, Z),
        Z_test(features.feature_nodes(data.test)),
        A(expanded(Z)),
        A_test(expanded(Z_test)) {}

  arma::Mat<T> expanded(const arma::Mat<T>& feature_nodes) const {
    arma::Mat<T> out(feature_nodes.n_rows, features.sizes().back());
    features.expand(feature_nodes, View<T>(out));
    return out;
  }

  arma::Mat<T> Z;
  BroadFeatures<T> features;
  arma::Mat<T> Z_test, A, A_test;
};

/// The whole map once more, sample by sample and node by node.
struct ByLoops {
  const BroadFeatureMap& map;
  const Data& data;
  arma::mat A, A_test, Z, Z_test;
  std::vector<double> most;  // largest input of an enhancement node, part by part

  ByLoops(const BroadFeatureMap& how, const Data& of, const std::vector<BroadStep>& steps) : map(how), data(of) {
    const arma::mat X = with_bias(data.train), X_test = with_bias(data.test);
    std::uint64_t feature_draw = 0, enhancement_draw = 0;
    const auto add = [](arma::mat& to, const arma::mat& columns) {
      to = to.is_empty() ? columns : arma::mat(arma::join_rows(to, columns));
    };
    for (const BroadStep& step : steps) {
      arma::mat added, added_test;
      for (uword g = 0; g < step.feature_groups; ++g) {
        const arma::mat weights = drawn(kRng, feature_draw, X.n_cols, map.group);
        feature_draw += weights.n_elem;
        const auto [group, group_test] =
            scaled_columns(X, X_test, map.sparse_coding ? arma::mat(code(X, weights).t()) : weights);
        add(added, group);
        add(added_test, group_test);
      }
      add(A, added);
      add(A_test, added_test);
      add_enhancement(added, added_test, step.enhancement_of_added, enhancement_draw);
      add(Z, added);
      add(Z_test, added_test);
      add_enhancement(Z, Z_test, step.enhancement, enhancement_draw);
    }
  }

  arma::mat with_bias(const Inputs& inputs) const {
    arma::mat X(inputs.samples(), inputs.dimension() + 1);
    const double d = static_cast<double>(inputs.dimension());
    for (uword n = 0; n < X.n_rows; ++n) {
      arma::rowvec x = inputs.X.matrix().row(inputs.rows(n));
      if (map.standardise) {
        const double mean = arma::accu(x) / d, variance = arma::accu(arma::square(x - mean)) / (d - 1);
        x = variance > 0 ? arma::rowvec((x - mean) / std::sqrt(variance)) : arma::rowvec(x.n_elem);
      }
      X.row(n) = arma::join_rows(x, arma::rowvec{0.1});
    }
    return X;
  }

  static arma::mat drawn(const Rng& rng, std::uint64_t first, uword rows, uword cols) {
    arma::mat W(rows, cols);
    for (uword j = 0; j < cols; ++j) {
      for (uword i = 0; i < rows; ++i) W(i, j) = 2 * rng.uniform(first + j * rows + i) - 1;
    }
    return W;
  }

  /// B: nodes of a group x inputs, of the random nodes scaled to [-1, 1] sample by sample.
  arma::mat code(const arma::mat& X, const arma::mat& weights) const {
    arma::mat random = X * weights;
    for (uword n = 0; n < random.n_rows; ++n) {
      const double least = random.row(n).min(), most_of_row = random.row(n).max();
      random.row(n) = 2 * (random.row(n) - least) / (most_of_row - least) - 1;
    }
    return sparse_code(random.t() * random, random.t() * X, map.penalty, map.steps);
  }

  static std::pair<arma::mat, arma::mat> scaled_columns(const arma::mat& X, const arma::mat& X_test,
                                                        const arma::mat& weights) {
    arma::mat node = X * weights, node_test = X_test * weights;
    for (uword j = 0; j < node.n_cols; ++j) {
      const double least = node.col(j).min(), range = node.col(j).max() - least;
      node.col(j) = (node.col(j) - least) / range;
      node_test.col(j) = (node_test.col(j) - least) / range;  // the range of the training samples
    }
    return {node, node_test};
  }

  void add_enhancement(const arma::mat& fed, const arma::mat& fed_test, uword count, std::uint64_t& draw) {
    if (count == 0) return;
    const arma::mat weights = drawn(kRng.with(Purpose::enhancement), draw, fed.n_cols + 1, count);
    draw += weights.n_elem;
    const auto input = [&](const arma::mat& nodes) {
      return arma::mat(arma::join_rows(nodes, 0.1 * arma::ones(nodes.n_rows)) * weights);
    };
    const double factor = map.shrink / input(fed).max();
    const auto tansig = [&](const arma::mat& nodes) {
      return arma::mat(2 / (1 + arma::exp(-2 * factor * input(nodes))) - 1);
    };
    A = arma::join_rows(A, tansig(fed));
    A_test = arma::join_rows(A_test, tansig(fed_test));
  }
};

// Rounding of a handful of sums of six products, through ADMM steps that do not amplify it.
constexpr double kRounding = 1e-11;

class BroadFeaturesTest : public testing::TestWithParam<BroadFeatureMap> {};

std::string name_of(const BroadFeatureMap& map) {
  return std::string(map.standardise ? "standardised" : "raw") + (map.sparse_coding ? "_sparse" : "_random") +
         "_group" + std::to_string(map.group);
}

INSTANTIATE_TEST_SUITE_P(Each, BroadFeaturesTest,
                         testing::Values(BroadFeatureMap{.group = 3}, BroadFeatureMap{.standardise = false, .group = 3},
                                         BroadFeatureMap{.group = 3, .sparse_coding = false},
                                         BroadFeatureMap{.group = 1, .sparse_coding = false},
                                         BroadFeatureMap{.group = 4, .penalty = 2, .steps = 7, .shrink = 0.3}),
                         [](const auto& test) {
                           return name_of(test.param) + (test.param.penalty > 1 ? "_few_steps" : "");
                         });

TEST_P(BroadFeaturesTest, AreAsDefined) {
  const Data data;
  const Fitted<double> fitted(GetParam(), data);
  const ByLoops defined(GetParam(), data, kSteps);

  EXPECT_LE(relative_difference(fitted.Z, defined.Z), kRounding);
  EXPECT_LE(relative_difference(fitted.Z_test, defined.Z_test), kRounding);
  EXPECT_LE(relative_difference(fitted.A, defined.A), kRounding);
  EXPECT_LE(relative_difference(fitted.A_test, defined.A_test), kRounding);
}

TEST_P(BroadFeaturesTest, SizesAndRanges) {
  const Data data;
  const Fitted<double> fitted(GetParam(), data);
  const uword g = GetParam().group;

  EXPECT_EQ(fitted.features.sizes(), (std::vector<uword>{2 * g + 4, 3 * g + 9, 3 * g + 14, 5 * g + 17}));
  for (uword j = 0; j < fitted.Z.n_cols; ++j) {
    EXPECT_EQ(fitted.Z.col(j).min(), 0) << j;
    EXPECT_NEAR(fitted.Z.col(j).max(), 1, 1e-14) << j;
  }
}

TEST_P(BroadFeaturesTest, TheLargestInputOfAnEnhancementPartIsTheShrinkFactor) {
  const Data data;
  const Fitted<double> fitted(GetParam(), data);
  const uword g = GetParam().group;
  // Enhancement parts of kSteps: first column and count.
  for (const auto& [first, count] : std::vector<std::pair<uword, uword>>{
           {2 * g, 4}, {3 * g + 4, 2}, {3 * g + 6, 3}, {3 * g + 9, 5}, {5 * g + 14, 3}}) {
    EXPECT_NEAR(std::atanh(fitted.A.cols(first, first + count - 1).max()), GetParam().shrink, 1e-13)
        << "from column " << first;
  }
}

TEST_P(BroadFeaturesTest, ExpandToFewerColumnsIsAPrefix) {
  const Data data;
  const Fitted<double> fitted(GetParam(), data);
  for (uword k = 1; k <= fitted.A.n_cols; ++k) {
    Framed<double> part(arma::mat(25, k));
    fitted.features.expand(fitted.Z_test, part.view());

    EXPECT_LE(relative_difference(part.content(), arma::mat(fitted.A_test.head_cols(k))), 1e-14) << k;
    EXPECT_FALSE(part.touched()) << k;
  }
}

TEST_P(BroadFeaturesTest, FirstStepsDoNotDependOnLaterOnes) {
  const Data data;
  const arma::mat all = Fitted<double>(GetParam(), data).A,
                  few = Fitted<double>(GetParam(), data, {kSteps[0], kSteps[1]}).A;

  EXPECT_LE(relative_difference(few, arma::mat(all.head_cols(few.n_cols))), kRounding);
}

TEST_P(BroadFeaturesTest, NothingIsFittedToOtherSamples) {
  Data data;
  const arma::mat before = Fitted<double>(GetParam(), data).A;
  data.X.tail_rows(25) *= 100;

  EXPECT_TRUE(identical(Fitted<double>(GetParam(), data).A, before));
}

TEST_P(BroadFeaturesTest, InSinglePrecisionAreTheSameNodesRounded) {
  const Data data;
  const Fitted<float> narrow(GetParam(), data);
  const Fitted<double> wide(GetParam(), data);

  // eps of float through sums over the samples and the codes that they determine.
  const double allowed = 100 * tolerance<float>(6, 6);
  EXPECT_LE(relative_difference(arma::conv_to<arma::mat>::from(narrow.A), wide.A), allowed);
  EXPECT_LE(relative_difference(arma::conv_to<arma::mat>::from(narrow.A_test), wide.A_test), allowed);
  EXPECT_GT(relative_difference(arma::conv_to<arma::mat>::from(narrow.A), wide.A), 1e-9);
}

TEST(BroadFeatures, DrawsDependOnTheSeedAndTheFold) {
  const Data data;
  const BroadFeatureMap map{.group = 3};
  const auto nodes = [&](const Rng& rng) { return Fitted<double>(map, data, kSteps, rng).A; };

  EXPECT_TRUE(identical(nodes(kRng), nodes(Rng(17, Purpose::layer, 2, 1))));
  EXPECT_FALSE(identical(nodes(kRng), nodes(Rng(18, Purpose::layer, 2, 1))));
  EXPECT_FALSE(identical(nodes(kRng), nodes(Rng(17, Purpose::layer, 2, 2))));
}

// The inputs of the enhancement nodes are recovered from their outputs, and from them a multiple of the
// weights.
TEST(BroadFeatures, OrthonormalWeightsAreOrthonormal) {
  const Data data;
  for (const uword count : {uword(2), uword(4), uword(7)}) {  // tall, square, wide: 3 feature nodes and the bias
    const Fitted<double> fitted({.group = 3, .orthonormal = true}, data, {{1, 0, count}});
    const arma::mat fed = arma::join_rows(fitted.Z, 0.1 * arma::ones(40)),
                    input = arma::atanh(fitted.A.tail_cols(count));
    const arma::mat W = arma::solve(fed, input);  // 4 x count

    const arma::mat gram = count <= 4 ? arma::mat(W.t() * W) : arma::mat(W * W.t());
    EXPECT_LE(relative_difference(arma::mat(gram / gram(0, 0)), arma::mat(arma::eye(arma::size(gram)))), 1e-9) << count;
    EXPECT_NEAR(input.max(), 0.8, 1e-12);
    // A basis of the space of the uniform ones.
    const arma::mat uniform = ByLoops::drawn(kRng.with(Purpose::enhancement), 0, 4, count);
    EXPECT_LE(relative_difference(arma::mat(uniform * arma::pinv(uniform) * W), W), 1e-9) << count;
  }
}

TEST(BroadFeatures, ConstantSamplesAreFinite) {
  Data data;
  for (const double value : {4.0, 0.1}) {  // 0.1 + 0.1 + 0.1 is not 3 * 0.1
    data.X.fill(value);
    for (const bool sparse : {true, false}) {
      const Fitted<double> fitted({.group = 3, .sparse_coding = sparse}, data);
      EXPECT_TRUE(fitted.A.is_finite());
      EXPECT_TRUE(fitted.Z.is_zero()) << "a feature node that is constant is 0";
    }
  }
}

// Of two inputs, the one always above the other, every sample is (-1, 1) / sqrt(2) when it is standardised.
TEST(BroadFeatures, WhatDiffersByRoundingAloneIsConstant) {
  Data data;
  data.X.shed_cols(2, data.X.n_cols - 1);
  data.train.scaler = data.test.scaler = Scaler::fit("none", arma::mat(2, 2), arma::uvec{0, 1});
  data.X.col(0) = arma::linspace(0, 1, data.X.n_rows);
  data.X.col(1) = 2 + arma::square(data.X.col(0));
  EXPECT_TRUE(Fitted<double>({.group = 3, .sparse_coding = false}, data).Z.is_zero());
}

TEST(BroadFeatures, TheSameBitsOnOneAndTwoThreads) {
  Data data;
  data.X = normal_matrix(5000, 5, 7, 1);
  data.train.rows = arma::regspace<arma::uvec>(0, 4499);  // more than two blocks of samples
  data.test.rows = arma::regspace<arma::uvec>(4500, 4999);
  const auto on = [&](int count) {
    const Threads scope(count);
    return Fitted<double>({.group = 3}, data).A;
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

TEST(BroadFeatures, ManySamplesAreTheSamplesOneByOne) {
  Data data;
  data.X = normal_matrix(5000, 5, 7, 1);
  data.train.rows = arma::regspace<arma::uvec>(0, 9 * kFullBlock);  // one more than nine blocks
  data.test.rows = arma::regspace<arma::uvec>(9 * kFullBlock + 1, 4999);
  const BroadFeatureMap map{.group = 3};
  const Fitted<double> fitted(map, data);
  const ByLoops defined(map, data, kSteps);

  EXPECT_LE(relative_difference(fitted.A, defined.A), kRounding);
  EXPECT_LE(relative_difference(fitted.A_test, defined.A_test), kRounding);
  Inputs one = data.train;
  one.rows = arma::uvec{4321};
  EXPECT_LE(relative_difference(fitted.features.feature_nodes(one), arma::mat(fitted.Z.row(4321))), kRounding);
}

}  // namespace
}  // namespace elmx
