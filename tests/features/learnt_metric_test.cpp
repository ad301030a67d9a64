#include "features/learnt_metric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

using arma::mat;
using arma::uvec;
using arma::vec;

HiddenNodes some_nodes(uword inputs, uword nodes, const std::string& activation = "tanh") {
  return HiddenNodes::draw(activation, kRng, inputs, nodes, {});
}

mat hidden(const HiddenNodes& nodes, const mat& X) {
  mat H(X.n_rows, nodes.b.n_elem);
  const uvec all = arma::regspace<uvec>(0, 1, X.n_rows - 1);
  nodes.outputs(Inputs{X, all, Scaler::fit("none", X, all)}, 0, View<double>(H));
  return H;
}

SmallNetwork fitted(const mat& X, const mat& Y, const HiddenNodes& nodes) {
  SmallNetwork network;
  EXPECT_EQ(SmallNetwork::fit(X, Y, nodes, network), Status::ok);
  return network;
}

TEST(SmallNetwork, WeightsSolveTheCentredRidgeProblem) {
  const mat X = normal_matrix(90, 4, 1, 1), Y = normal_matrix(90, 2, 1, 2) + 7;
  const SmallNetwork network = fitted(X, Y, some_nodes(4, 20));
  mat H = hidden(network.nodes, X);
  const mat Z = H * network.weights + arma::ones(90) * network.constants;
  EXPECT_LE(relative_difference(network.outputs(X), Z), 1e-13);
  H.each_row() -= arma::mean(H);
  const mat gradient = H.t() * (Z - Y) + network.lambda * network.weights;
  EXPECT_LE(arma::abs(gradient).max(), 1e-12 * arma::norm(H, "fro") * arma::norm(Y, "fro"));
  EXPECT_LE(arma::abs(arma::mean(Z - Y)).max(), 1e-12);
}

/// Every sample is left out by a solution of its own.
TEST(SmallNetwork, LambdaHasTheLeastLeaveOneOutError) {
  const mat X = normal_matrix(30, 3, 2, 1), Y = arma::sin(2 * X.col(0)) + 0.3 * normal_matrix(30, 1, 2, 2);
  const SmallNetwork network = fitted(X, Y, some_nodes(3, 12));
  const mat H = hidden(network.nodes, X);
  const mat centred = H.each_row() - arma::mean(H);
  const double unit = arma::accu(arma::square(centred)) / 12;
  double best = arma::datum::inf, lambda = 0;
  for (const double candidate : arma::vec(unit * arma::logspace(-7, 2, 19))) {
    double sum = 0;
    for (uword i = 0; i < 30; ++i) {
      mat others = H, targets = Y;
      others.shed_row(i);
      targets.shed_row(i);
      const arma::rowvec mean = arma::mean(others);
      others.each_row() -= mean;
      const mat A = arma::join_cols(others, std::sqrt(candidate) * arma::eye(12, 12));
      const double constant = arma::mean(targets.col(0));
      const vec w = arma::pinv(A) * arma::join_cols(targets - constant, arma::zeros(12, 1));
      sum += std::pow(Y(i) - constant - arma::dot(H.row(i) - mean, w), 2);
    }
    if (sum < best) {
      best = sum;
      lambda = candidate;
    }
  }
  EXPECT_NEAR(network.lambda / lambda, 1, 1e-10);
}

TEST(SmallNetwork, GradientProductsAreThoseOfCentralDifferences) {
  const uword d = 4, n = 25;
  const mat X = normal_matrix(n, d, 3, 1), Y = normal_matrix(n, 2, 3, 2);
  for (const ActivationInfo& row : activations()) {
    if (row.activation == Activation::hardlim) continue;
    const SmallNetwork network = fitted(X, Y, some_nodes(d, 15, std::string(row.name)));
    mat expected(d, d, arma::fill::zeros);
    const double step = 1e-5;
    mat gradients[2] = {mat(n, d), mat(n, d)};
    for (uword i = 0; i < d; ++i) {
      mat up = X, down = X;
      up.col(i) += step;
      down.col(i) -= step;
      const mat slope = (network.outputs(up) - network.outputs(down)) / (2 * step);
      for (uword k = 0; k < 2; ++k) gradients[k].col(i) = slope.col(k);
    }
    for (const mat& G : gradients) expected += G.t() * G / n;
    const mat A = network.average_gradient_products(X);
    EXPECT_LE(relative_difference(A, expected), 1e-6) << row.name;
    EXPECT_TRUE(identical(A, mat(A.t())));
    EXPECT_GE(arma::eig_sym(A).min(), -1e-12 * arma::trace(A));
  }
}

class LearntMetric : public testing::Test {
 protected:
  static constexpr uword kSamples = 400, kInputs = 8, kNodes = 120;
  const mat X = normal_matrix(kSamples, kInputs, 4, 1);
  const mat Y = arma::sin(X.col(1)) + X.col(1) % X.col(5);
  const uvec all = arma::regspace<uvec>(0, 1, kSamples - 1);
  const Inputs train{X, all, Scaler::fit("none", X, all)};
  const TrainingSamples samples{train, Y};
};

TEST_F(LearntMetric, StretchesTheInputsThatTargetsDependOn) {
  for (const std::string kind : {"uniform", "sparse", "pairs"}) {
    const mat M = learnt_metric({kind, "tanh", {}, 1, 2}, kRng, samples, kNodes);
    const vec lengths = arma::sqrt(arma::sum(arma::square(M), 1));
    for (uword i = 0; i < kInputs; ++i) {
      if (i == 1 || i == 5) continue;
      EXPECT_LT(2 * lengths(i), std::min(lengths(1), lengths(5))) << kind << i;
    }
  }
}

TEST_F(LearntMetric, OfManySamplesIsLearntFromSomeOfThem) {
  const uword many = kMetricSamples + 1;
  const mat inputs = normal_matrix(many, kInputs, 4, 1), targets = arma::sin(inputs.col(1));
  const uvec rows = arma::regspace<uvec>(0, 1, many - 1);
  const Inputs seen{inputs, rows, Scaler::fit("none", inputs, rows)};

  const mat M = learnt_metric({"uniform", "tanh", {}, 1, 1}, kRng, {seen, targets}, 30);

  vec lengths = arma::sqrt(arma::sum(arma::square(M), 1));
  EXPECT_EQ(lengths.index_max(), 1u);
  const double longest = lengths(1);
  lengths.shed_row(1);
  EXPECT_LT(2 * lengths.max(), longest);
}

/// A round by its definition: M M' times the mean of the eigenvalues of A is A.
TEST_F(LearntMetric, ARoundIsTheNormalisedRootOfTheGradientProducts) {
  const NodeDraw draw{"sparse", "tanh", {}, 1, 1};
  const mat M = learnt_metric(draw, kRng, samples, kNodes);
  const SmallNetwork network =
      fitted(X, Y, draw_kind("sparse").nodes({draw, kRng, kInputs, kNodes, std::uint64_t(1) << 40, &samples}));
  const mat A = network.average_gradient_products(X);
  EXPECT_LE(relative_difference<double>(M * M * (arma::trace(A) / kInputs), A), 1e-9);
  EXPECT_NEAR(arma::trace(M * M), kInputs, 1e-9);
}

TEST_F(LearntMetric, GoesIntoTheWeights) {
  NodeDraw draw{"pairs", "tanh", {}, 1, 2};
  const HiddenNodes folded = draw_nodes(draw, kRng, kInputs, kNodes, &samples);
  const mat M = learnt_metric(draw, kRng.with(Purpose::metric), samples, kNodes);
  const mat XM = X * M;
  const Inputs in_metric{XM, all, Scaler::fit("none", XM, all)};
  const TrainingSamples seen{in_metric, Y};
  draw.metric_rounds = 0;
  const HiddenNodes plain = draw_nodes(draw, kRng, kInputs, kNodes, &seen);
  mat H(kSamples, kNodes), expected(kSamples, kNodes);
  folded.outputs(train, 0, View<double>(H));
  plain.outputs(in_metric, 0, View<double>(expected));
  EXPECT_LE(relative_difference(H, expected), 1e-10);
}

TEST_F(LearntMetric, OfConstantTargetsIsTheIdentity) {
  const mat constant(kSamples, 1, arma::fill::ones);
  const mat M = learnt_metric({"uniform", "tanh", {}, 1, 3}, kRng, {train, constant}, kNodes);
  EXPECT_TRUE(identical(M, mat(kInputs, kInputs, arma::fill::eye)));
}

}  // namespace
}  // namespace elmx
