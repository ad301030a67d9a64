#include <gtest/gtest.h>

#include "nets/layers.hpp"
#include "nets/layers/recurrent.hpp"

namespace elmx {
namespace {

class LstmTest : public testing::TestWithParam<SequenceCase> {
 protected:
  const Shape input{GetParam().steps, GetParam().inputs};
  const uword M = GetParam().samples, N = GetParam().nodes;
  const arma::mat X = random_signal(input, M);
};

INSTANTIATE_TEST_SUITE_P(Each, LstmTest,
                         testing::Values(SequenceCase{1, 1, 3, 2}, SequenceCase{1, 7, 3, 4}, SequenceCase{2, 1, 1, 1},
                                         SequenceCase{5, 7, 3, 4}, SequenceCase{4, 1, 4, 5}, SequenceCase{8, 2, 2, 6},
                                         SequenceCase{2, 130, 3, 33}));

double sigma(double z) { return 1 / (1 + std::exp(-z)); }

// (9) to (18), number by number.
arma::mat by_definition(const arma::mat& X, const arma::mat& w, const arma::mat& v, uword M) {
  const uword N = w.n_cols / 4;
  arma::mat Y(X.n_rows, N), y(M, N, arma::fill::zeros), c(M, N, arma::fill::zeros);
  for (uword t = 0; t < X.n_rows / M; ++t) {
    const arma::mat Z = X.rows(t * M, (t + 1) * M - 1) * w + with_ones(y) * v;
    for (uword m = 0; m < M; ++m) {
      for (uword j = 0; j < N; ++j) {
        c(m, j) = sigma(Z(m, j)) * std::tanh(Z(m, N + j)) + sigma(Z(m, 2 * N + j)) * c(m, j);
        y(m, j) = sigma(Z(m, 3 * N + j)) * std::tanh(c(m, j));
      }
    }
    Y.rows(t * M, (t + 1) * M - 1) = y;
  }
  return Y;
}

TEST_P(LstmTest, OutputsAreThoseOfTheDefinition) {
  Network<double> network(input);
  add_lstm(network, N);
  const auto parameters = network.parameters();

  for (int again = 0; again < 2; ++again) {  // the states begin at zero each time
    EXPECT_LE(
        relative_difference(outputs_of(network, X, M), by_definition(X, parameters[0]->Theta, parameters[1]->Theta, M)),
        10 * tolerance(N, 1));
  }
  EXPECT_EQ(network.output(), (Shape{GetParam().steps, N}));
}

TEST_P(LstmTest, GradientsAreTheCentralDifferences) {
  OpenNetwork open(input);
  add_lstm(open.network, N);

  EXPECT_LE(gradient_error(open, X, M), 1e-6);
}

TEST_P(LstmTest, TwoStackedManyToOneAndManyToMany) {
  for (const bool last : {true, false}) {
    OpenNetwork open(input);
    add_lstm(open.network, N);
    add_lstm(open.network, 3);
    if (last) add_last_step(open.network);
    add_dense(open.network, 2, Activation::linear);

    EXPECT_LE(gradient_error(open, X, M), 1e-6);
  }
}

// (80), (92): over samples and time, the zero matrix before the first step included.
TEST_P(LstmTest, AveragesAndFactorsAreThoseOfTheInputMatrices) {
  OpenNetwork open(input);
  add_lstm(open.network, N);
  const auto parameters = open.network.parameters();
  const auto direct = open.gradients(X, M, random_objective());
  for (const std::size_t i : {1, 2}) parameters[i]->needs = {.average = true, .factors = true};

  open.gradients(X, M, random_objective());

  const arma::mat Y = by_definition(X, parameters[1]->Theta, parameters[2]->Theta, M);
  const arma::mat before =
      with_ones(arma::mat(arma::join_cols(arma::mat(M, N, arma::fill::zeros), Y.head_rows(Y.n_rows - M))));
  EXPECT_LE(relative_difference(arma::mat(parameters[1]->x), arma::mat(arma::mean(X, 0).t())), tolerance(X.n_rows, 1));
  EXPECT_LE(relative_difference(arma::mat(parameters[2]->x), arma::mat(arma::mean(before, 0).t())),
            tolerance(X.n_rows, N));
  EXPECT_LE(relative_difference(parameters[2]->X->copy(), before), 10 * tolerance(N, 1));
  for (const std::size_t i : {1, 2}) {
    EXPECT_EQ(parameters[i]->steps, GetParam().steps);
    EXPECT_EQ(parameters[i]->x.back(), 1);
    EXPECT_LE(relative_difference(arma::mat(parameters[i]->X->copy().t() * parameters[i]->dZ->copy()), direct[i]),
              tolerance(X.n_rows, 1));
  }
}

TEST(Lstm, BatchesOfOtherSizesBackAndForth) {
  OpenNetwork open({3, 2});
  add_lstm(open.network, 4);

  for (const uword M : {2, 6, 1, 4}) {
    const arma::mat X = random_signal({3, 2}, M, M);
    const auto parameters = open.network.parameters();
    EXPECT_LE(relative_difference(outputs_of(open.network, X, M),
                                  by_definition(X, parameters[1]->Theta, parameters[2]->Theta, M)),
              10 * tolerance(4, 1));
    EXPECT_LE(gradient_error(open, X, M), 1e-6);
  }
}

TEST(Lstm, FloatAgreesWithDouble) {
  const Shape input{5, 4};
  Network<float> network(input);
  Network<double> wide(input);
  add_lstm(network, 6);
  add_lstm(wide, 6);
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

// exp(-z) overflows for z = -1000: gates are 0 and 1 there, and nothing is not a number.
template <class T>
void expect_saturated() {
  for (const uword M : {1, 3, 40}) {
    for (const double z : {100.0, 1000.0, -100.0, -1000.0}) {
      const arma::mat values(1, 4, arma::fill::value(z));
      Network<T> network({3, 2});
      network.add(std::make_unique<Lstm<T>>(
          Shape{3, 2}, parameter_of<T>(arma::mat(arma::join_cols(arma::mat(2, 4, arma::fill::zeros), values)), 1),
          parameter_of<T>(arma::mat(2, 4, arma::fill::zeros), 1)));
      const arma::Mat<T> X = as<T>(random_signal({3, 2}, M));

      const arma::Mat<T> Y = outputs_of(network, X, M);
      arma::Mat<T> dZ(3 * M, 1, arma::fill::ones);
      network.backward(View<T>(dZ));

      const double last = z > 0 ? std::tanh(3.0) : 0;  // c_3 = 1 + 1 + 1
      EXPECT_NEAR(static_cast<double>(Y(Y.n_rows - 1, 0)), last, 1e-6) << z;
      EXPECT_TRUE(Y.is_finite()) << z;
      for (const Parameter<T>* parameter : network.parameters()) EXPECT_TRUE(parameter->D.is_finite()) << z;
    }
  }
}

TEST(Lstm, SaturatedGatesAreNotANumberNowhere) {
  expect_saturated<double>();
  expect_saturated<float>();
}

TEST(Lstm, RefusesParametersThatDoNotFit) {
  const auto of = [](uword rows, uword cols) { return parameter_of(arma::mat(rows, cols)); };
  EXPECT_NO_THROW(Lstm<double>({2, 3}, of(4, 8), of(3, 8)));
  EXPECT_THROW(Lstm<double>({2, 3}, of(3, 8), of(3, 8)), std::logic_error);
  EXPECT_THROW(Lstm<double>({2, 3}, of(4, 8), of(4, 8)), std::logic_error);
  EXPECT_THROW(Lstm<double>({2, 3}, of(4, 4), of(3, 8)), std::logic_error);
}

}  // namespace
}  // namespace elmx
