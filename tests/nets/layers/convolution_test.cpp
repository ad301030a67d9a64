#include "nets/layers/convolution.hpp"

#include <gtest/gtest.h>

#include "nets/convolution_cases.hpp"

namespace elmx {
namespace {

/// The outputs of all positions, (U V M) x C, as the signal M x (C U V).
arma::mat as_signal(const arma::mat& Z, uword samples) { return arma::reshape(Z, samples, Z.n_elem / samples); }

class ConvolutionTest : public testing::TestWithParam<ConvolutionCase> {
 protected:
  const ConvolutionCase c = GetParam();
  const arma::mat X = random_signal(c.input(), c.M);
  const arma::mat rows = rows_by_definition(c, X);
};

INSTANTIATE_TEST_SUITE_P(Each, ConvolutionTest, testing::ValuesIn(convolution_cases()));

TEST_P(ConvolutionTest, OutputsAreFOfXTheta) {
  for (const Activation activation : {Activation::linear, Activation::relu}) {
    Network<double> network(c.input());
    add_convolution(network, c.options(), activation);

    const arma::mat Y = outputs_of(network, X, c.M);

    arma::mat Z = rows * network.parameters()[0]->Theta;
    if (activation == Activation::relu) Z = arma::clamp(Z, 0, arma::datum::inf);
    EXPECT_EQ(network.output(), (Shape{1, c.O, c.rows(), c.cols()}));
    EXPECT_LE(relative_difference(Y, as_signal(Z, c.M)), tolerance(rows.n_cols, 1));
  }
}

TEST_P(ConvolutionTest, GradientsAreTheCentralDifferences) {
  for (const Activation activation : {Activation::linear, Activation::relu, Activation::tanh}) {
    OpenNetwork open(c.input());
    add_convolution(open.network, c.options(), activation);

    EXPECT_LE(gradient_error(open, X, c.M), 1e-6);
  }
}

TEST_P(ConvolutionTest, GradientIsXdZAndTheAverageTheMeanOfX) {
  OpenNetwork open(c.input());
  add_convolution(open.network, c.options(), Activation::linear);
  Parameter<double>& parameter = *open.network.parameters()[1];
  parameter.needs.average = true;

  open.gradients(X, c.M, random_objective());

  const arma::mat dZ = arma::reshape(normal_matrix(c.M, c.O * c.rows() * c.cols(), 31), rows.n_rows, c.O);
  EXPECT_LE(relative_difference(parameter.D, arma::mat(rows.t() * dZ)), tolerance(rows.n_rows, 1));
  EXPECT_LE(relative_difference(arma::mat(parameter.x), arma::mat(arma::mean(rows, 0).t())), 1e-14);
  EXPECT_EQ(parameter.x.back(), 1);
  EXPECT_EQ(parameter.steps, 1u);
}

TEST_P(ConvolutionTest, FloatAgreesWithDouble) {
  Network<float> network(c.input());
  add_convolution(network, c.options(), Activation::relu);
  Network<double> wide(c.input());
  add_convolution(wide, c.options(), Activation::relu);
  const arma::mat expected = outputs_of(wide, X, c.M);
  arma::mat dZ = normal_matrix(expected.n_rows, expected.n_cols, 31);
  arma::fmat narrow_dZ = as<float>(dZ);
  network.parameters()[0]->needs.average = true;

  const arma::fmat narrow_X = as<float>(X), Y = outputs_of(network, narrow_X, c.M);
  network.backward(View<float>(narrow_dZ));
  wide.backward(View<double>(dZ));

  EXPECT_LE(relative_difference(as<double>(Y), expected), tolerance<float>(rows.n_cols, 1));
  EXPECT_LE(relative_difference(as<double>(network.parameters()[0]->D), wide.parameters()[0]->D),
            tolerance<float>(rows.n_rows, 1));
}

TEST(Convolution, TwoBehindEachOtherWithPools) {
  OpenNetwork open({1, 2, 8, 7});
  add_convolution(open.network, {3, 3, 3, 1, 1}, Activation::relu);
  add_pool(open.network, {2, 2, 2});
  add_convolution(open.network, {4, 2, 3, 1, 1}, Activation::tanh);
  add_pool(open.network, {3, 3, 2});
  add_dense(open.network, 3, Activation::linear);

  for (const uword M : {3, 5, 1, 2}) EXPECT_LE(gradient_error(open, random_signal({1, 2, 8, 7}, M), M), 1e-6) << M;
}

// Section 9, test 8.
TEST(Convolution, OfOneEntryOnImagesOfOneEntryIsDense) {
  for (const ConvolutionCase& c :
       {ConvolutionCase{5, 1, 1, 3, 1, 1, 1, 0, 7}, ConvolutionCase{2, 4, 3, 3, 4, 3, 1, 0, 7}}) {
    OpenNetwork convolution(c.input()), dense(c.input());
    add_convolution(convolution.network, c.options(), Activation::tanh);
    add_dense(dense.network, 3, Activation::tanh);
    const arma::mat X = random_signal(c.input(), 7);
    for (OpenNetwork* open : {&convolution, &dense}) open->network.parameters()[1]->needs.average = true;

    EXPECT_LE(relative_difference(outputs_of(convolution.network, X, 7), outputs_of(dense.network, X, 7)),
              tolerance(25, 1));
    const auto found = convolution.gradients(X, 7, random_objective()),
               expected = dense.gradients(X, 7, random_objective());
    for (const std::size_t i : {0, 1}) EXPECT_LE(relative_difference(found[i], expected[i]), tolerance(25, 1));
    EXPECT_LE(relative_difference(arma::mat(convolution.network.parameters()[1]->x),
                                  arma::mat(dense.network.parameters()[1]->x)),
              tolerance(25, 1));
  }
}

TEST(Convolution, RefusesAKernelLargerThanThePaddedImage) {
  const Parameter<double> parameter = parameter_of(arma::mat(2 * 5 * 3 + 1, 1));
  EXPECT_THROW(Convolution<double>({1, 2, 2, 5}, {1, 5, 3, 1, 1}, parameter, Activation::relu), std::logic_error);
  EXPECT_THROW(Convolution<double>({1, 2, 5, 0}, {1, 5, 3, 1, 1}, parameter, Activation::relu), std::logic_error);
  EXPECT_NO_THROW(Convolution<double>({1, 2, 3, 1}, {1, 5, 3, 1, 1}, parameter, Activation::relu));
  EXPECT_THROW(Convolution<double>({1, 2, 3, 1}, {1, 5, 3, 0, 1}, parameter, Activation::relu), std::logic_error);
}

TEST(Convolution, RefusesRowsOfALargerMatrix) {
  Network<double> network({1, 1, 2, 2});
  add_convolution(network, {1, 2, 2, 1, 0}, Activation::relu);
  const arma::mat X = random_signal({1, 1, 2, 2}, 5);

  EXPECT_THROW(network.forward(View<const double>(X).block(1, 0, 3, 5), 3), std::logic_error);
}

}  // namespace
}  // namespace elmx
