#include "nets/layers/recurrent.hpp"

#include <gtest/gtest.h>

#include "nets/layers.hpp"

namespace elmx {
namespace {

class RecurrentTest : public testing::TestWithParam<SequenceCase> {
 protected:
  const Shape input{GetParam().steps, GetParam().inputs};
  const uword M = GetParam().samples, N = GetParam().nodes;
  const arma::mat X = random_signal(input, M);
  static constexpr Activation activations[] = {Activation::tanh, Activation::relu, Activation::sigmoid,
                                               Activation::linear};
};

INSTANTIATE_TEST_SUITE_P(Each, RecurrentTest,
                         testing::Values(SequenceCase{1, 1, 3, 2}, SequenceCase{1, 7, 3, 4}, SequenceCase{2, 1, 1, 1},
                                         SequenceCase{5, 7, 3, 4}, SequenceCase{3, 1, 4, 5}, SequenceCase{8, 2, 2, 6}));

double activated(Activation activation, double z) {
  if (activation == Activation::tanh) return std::tanh(z);
  if (activation == Activation::sigmoid) return 1 / (1 + std::exp(-z));
  return activation == Activation::relu ? std::max(z, 0.0) : z;
}

// (7)
arma::mat by_definition(const arma::mat& X, const arma::mat& w, const arma::mat& v, uword M, Activation activation) {
  arma::mat Y(X.n_rows, w.n_cols), before(M, w.n_cols, arma::fill::zeros);
  for (uword t = 0; t < X.n_rows / M; ++t) {
    arma::mat Z = X.rows(t * M, (t + 1) * M - 1) * w + with_ones(before) * v;
    Z.transform([&](double z) { return activated(activation, z); });
    Y.rows(t * M, (t + 1) * M - 1) = before = Z;
  }
  return Y;
}

TEST_P(RecurrentTest, OutputsAreThoseOfTheDefinition) {
  for (const Activation activation : activations) {
    Network<double> network(input);
    add_recurrent(network, N, activation);
    const auto parameters = network.parameters();

    for (int again = 0; again < 2; ++again) {  // the states begin at zero each time
      const arma::mat Y = outputs_of(network, X, M);
      EXPECT_LE(relative_difference(Y, by_definition(X, parameters[0]->Theta, parameters[1]->Theta, M, activation)),
                10 * tolerance(N, 1));
    }
    EXPECT_EQ(network.output(), (Shape{GetParam().steps, N}));
  }
}

TEST_P(RecurrentTest, GradientsAreTheCentralDifferences) {
  for (const Activation activation : activations) {
    OpenNetwork open(input);
    add_recurrent(open.network, N, activation);

    EXPECT_LE(gradient_error(open, X, M), 1e-6);
  }
}

TEST_P(RecurrentTest, ManyToOneTwoStacked) {
  OpenNetwork open(input);
  add_recurrent(open.network, N, Activation::tanh);
  add_recurrent(open.network, 3, Activation::relu);
  add_last_step(open.network);
  add_dense(open.network, 2, Activation::linear);

  EXPECT_LE(gradient_error(open, X, M), 1e-6);
}

// (80), (92): over samples and time, the zero matrix before the first step included.
TEST_P(RecurrentTest, AveragesAreThoseOfTheInputMatrices) {
  for (const bool factors : {false, true}) {
    OpenNetwork open(input);
    add_recurrent(open.network, N, Activation::tanh);
    const auto parameters = open.network.parameters();
    const auto direct = open.gradients(X, M, random_objective());
    for (const std::size_t i : {1, 2}) parameters[i]->needs = {.average = true, .factors = factors};

    open.gradients(X, M, random_objective());

    const arma::mat Y = by_definition(X, parameters[1]->Theta, parameters[2]->Theta, M, Activation::tanh);
    const arma::mat before =
        with_ones(arma::mat(arma::join_cols(arma::mat(M, N, arma::fill::zeros), Y.head_rows(Y.n_rows - M))));
    EXPECT_LE(relative_difference(arma::mat(parameters[1]->x), arma::mat(arma::mean(X, 0).t())),
              tolerance(X.n_rows, 1));
    EXPECT_LE(relative_difference(arma::mat(parameters[2]->x), arma::mat(arma::mean(before, 0).t())),
              tolerance(X.n_rows, N));
    for (const std::size_t i : {1, 2}) {
      EXPECT_EQ(parameters[i]->steps, GetParam().steps);
      EXPECT_EQ(parameters[i]->x.back(), 1);
      if (factors) {
        EXPECT_LE(relative_difference(arma::mat(parameters[i]->X->copy().t() * parameters[i]->dZ->copy()), direct[i]),
                  tolerance(X.n_rows, 1));
      }
    }
  }
}

TEST(Recurrent, BatchesOfOtherSizesBackAndForth) {
  OpenNetwork open({3, 2});
  add_recurrent(open.network, 4, Activation::tanh);

  for (const uword M : {2, 6, 1, 4}) {
    const arma::mat X = random_signal({3, 2}, M, M);
    const auto parameters = open.network.parameters();
    EXPECT_LE(relative_difference(outputs_of(open.network, X, M),
                                  by_definition(X, parameters[1]->Theta, parameters[2]->Theta, M, Activation::tanh)),
              10 * tolerance(4, 1));
    EXPECT_LE(gradient_error(open, X, M), 1e-6);
  }
}

TEST(Recurrent, FloatAgreesWithDouble) {
  const Shape input{5, 4};
  Network<float> network(input);
  Network<double> wide(input);
  add_recurrent(network, 6, Activation::tanh);
  add_recurrent(wide, 6, Activation::tanh);
  const arma::mat X = random_signal(input, 7);
  arma::mat dZ = normal_matrix(35, 6, 31);
  arma::fmat narrow_dZ = as<float>(dZ);

  const arma::fmat narrow_X = as<float>(X), Y = outputs_of(network, narrow_X, 7);
  EXPECT_LE(relative_difference(as<double>(Y), outputs_of(wide, X, 7)), 10 * tolerance<float>(6, 1));
  network.backward(View<float>(narrow_dZ));
  wide.backward(View<double>(dZ));

  for (const std::size_t i : {0, 1}) {
    EXPECT_LE(relative_difference(as<double>(network.parameters()[i]->D), wide.parameters()[i]->D),
              10 * tolerance<float>(35, 1));
  }
}

TEST(Recurrent, RefusesParametersThatDoNotFit) {
  const auto of = [](uword rows, uword cols) { return parameter_of(arma::mat(rows, cols)); };
  EXPECT_THROW(Recurrent<double>({2, 3}, of(3, 2), of(3, 2), Activation::tanh), std::logic_error);
  EXPECT_THROW(Recurrent<double>({2, 3}, of(4, 2), of(2, 2), Activation::tanh), std::logic_error);
  EXPECT_THROW(Recurrent<double>({2, 3}, of(4, 3), of(3, 2), Activation::tanh), std::logic_error);
}

}  // namespace
}  // namespace elmx
