#include "nets/layers/dense.hpp"

#include <gtest/gtest.h>

#include "nets/layers.hpp"

namespace elmx {
namespace {

double f(Activation activation, double z) {
  switch (activation) {
    case Activation::relu:
      return std::max(0.0, z);
    case Activation::tanh:
      return std::tanh(z);
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-z));
    default:
      return z;
  }
}

struct DenseCase {
  Activation activation;
  uword steps, samples, inputs, nodes;
};
void PrintTo(const DenseCase& c, std::ostream* out) {
  *out << activations()[static_cast<std::size_t>(c.activation)].name << "_T" << c.steps << "_M" << c.samples << "_"
       << c.inputs << "x" << c.nodes;
}

class DenseTest : public testing::TestWithParam<DenseCase> {
 protected:
  const Shape input{GetParam().steps, GetParam().inputs};
  const uword M = GetParam().samples;
  const arma::mat X = random_signal(input, M);
};

std::vector<DenseCase> dense_cases() {
  std::vector<DenseCase> cases;
  for (const Activation activation : {Activation::linear, Activation::relu, Activation::tanh, Activation::sigmoid}) {
    for (const uword T : {1, 4}) {
      for (const uword M : {1, 7}) cases.push_back({activation, T, M, 5, 3});
    }
    cases.push_back({activation, 1, 3, 1, 1});
    cases.push_back({activation, 2, 300, 6, 70});  // more entries than one chunk of the activation takes
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Each, DenseTest, testing::ValuesIn(dense_cases()));

TEST_P(DenseTest, OutputsAreFOfXTheta) {
  Network<double> network(input);
  add_dense(network, GetParam().nodes, GetParam().activation);

  const arma::mat Y = outputs_of(network, X, M);

  arma::mat expected = X * network.parameters()[0]->Theta;
  expected.transform([&](double z) { return f(GetParam().activation, z); });
  EXPECT_EQ(network.output(), (Shape{GetParam().steps, GetParam().nodes}));
  EXPECT_LE(relative_difference(Y, expected), tolerance(6, 1));
}

TEST_P(DenseTest, GradientsAreTheCentralDifferences) {
  OpenNetwork open(input);
  add_dense(open.network, GetParam().nodes, GetParam().activation);

  EXPECT_LE(gradient_error(open, X, M), 1e-6);
}

TEST_P(DenseTest, FloatAgreesWithDouble) {
  Network<float> network(input);
  Network<double> wide(input);
  add_dense(network, GetParam().nodes, GetParam().activation);
  add_dense(wide, GetParam().nodes, GetParam().activation);

  const arma::fmat Y = outputs_of(network, as<float>(X), M);

  EXPECT_LE(relative_difference(as<double>(Y), outputs_of(wide, X, M)), tolerance<float>(6, 1));
}

// What the layer is asked for beside the product: the mean of the rows over samples and steps (51), (80), or
// the factors.
TEST_P(DenseTest, AverageAndFactors) {
  for (const bool factors : {false, true}) {
    OpenNetwork open(input);
    add_dense(open.network, GetParam().nodes, GetParam().activation);
    Parameter<double>& parameter = *open.network.parameters()[1];
    const arma::mat D = open.gradients(X, M, random_objective())[1];
    parameter.D.reset();
    parameter.needs = {.average = true, .factors = factors};

    open.gradients(X, M, random_objective());

    EXPECT_EQ(parameter.steps, GetParam().steps);
    EXPECT_LE(relative_difference(arma::mat(parameter.x), arma::mat(arma::mean(X, 0).t())), tolerance(X.n_rows, 1));
    EXPECT_EQ(parameter.x.back(), 1);
    EXPECT_EQ(parameter.X.has_value(), factors);
    const arma::mat product = factors ? arma::mat(parameter.X->copy().t() * parameter.dZ->copy()) : parameter.D;
    EXPECT_LE(relative_difference(product, D), tolerance(X.n_rows, 1));
  }
}

TEST(Dense, WithoutANeedThereIsNoAverage) {
  OpenNetwork open({1, 3});
  add_dense(open.network, 2, Activation::linear);

  open.gradients(random_signal({1, 3}, 4), 4, random_objective());

  EXPECT_TRUE(open.network.parameters()[1]->x.empty());
}

TEST(Dense, StackedLayersOfAllActivations) {
  OpenNetwork open({3, 4});
  add_dense(open.network, 6, Activation::relu);
  add_dense(open.network, 5, Activation::sigmoid);
  add_dense(open.network, 4, Activation::tanh);
  add_dense(open.network, 2, Activation::linear);

  for (const uword M : {3, 7, 1, 2})
    EXPECT_LE(gradient_error(open, random_signal({3, 4}, M), M), 1e-6) << M << " samples, another number than before";
}

TEST(Dense, ReluHasSlopeZeroAtZero) {
  OpenNetwork open({1, 1});
  add_dense(open.network, 1, Activation::relu);
  open.network.parameters()[1]->Theta = arma::vec{1, -1};

  const auto gradients = open.gradients(arma::mat(arma::rowvec{1, 1}), 1, random_objective());

  EXPECT_EQ(arma::norm(gradients[0]), 0);
  EXPECT_EQ(arma::norm(gradients[1]), 0);
}

TEST(Dense, RefusesThetaWithoutARowForTheBias) {
  EXPECT_THROW(Dense<double>(Shape{1, 3}, parameter_of(arma::mat(3, 2)), Activation::linear), std::logic_error);
}

}  // namespace
}  // namespace elmx
