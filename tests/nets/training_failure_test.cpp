#include <gtest/gtest.h>

#include "nets/layers.hpp"
#include "support/framed.hpp"
#include "support/threads.hpp"

// Training that overflows says so at the very step; training in general does not depend on the number of
// threads.

namespace elmx {
namespace {

auto all_rls(const RlsOptions& options) {
  return
      [=](std::size_t, Parameter<float>& parameter) { return std::make_unique<Rls<float>>(options, parameter, 1000); };
}

class OverflowTest : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Clip, OverflowTest, testing::Values(0.0, 5.0));

// The hidden node is inf - inf: relu, and the largest of a window, must not make a number of it.
TEST_P(OverflowTest, OfTheHiddenLayerShowsThroughReluAndPool) {
  for (uword k = 0; k < 4; ++k) {
    Network<float> network({1, 2, 2, 2});
    add_convolution(network, {1, 1, 1, 1, 0}, Activation::relu);
    add_pool(network, {2, 2, 2});
    add_dense(network, 2, Activation::linear);
    network.parameters()[0]->Theta = arma::fvec{3e38f, -3e38f, 1};
    OpenTraining<float> open(std::move(network), LossKind::mse, {GetParam(), false}, all_rls({}));
    arma::fmat X(3, 9, arma::fill::ones);
    X(1, k) = X(1, 4 + k) = 10;

    EXPECT_FALSE(open.training->step(X, arma::fmat(3, 2, arma::fill::zeros), 3).finite) << k;
  }
}

TEST_P(OverflowTest, OfTheParametersShowsAtTheStepThatMakesThem) {
  for (const double eta : {1e30, 1e38}) {
    Network<float> network({1, 3});
    add_dense(network, 4, Activation::relu);
    add_dense(network, 2, Activation::linear);
    OpenTraining<float> open(std::move(network), LossKind::mse, {GetParam(), false}, all_rls({.k = 0, .eta = eta}));
    const arma::fmat X = as<float>(random_signal({1, 3}, 5)),
                     targets(5, 2, arma::fill::value(GetParam() > 0 ? 1e4f : 1e3f));

    for (int s = 1; s <= 5; ++s) {
      const bool finite = open.training->step(X, targets, 5).finite;
      const bool there = open.parameter(0).Theta.is_finite() && open.parameter(1).Theta.is_finite();
      EXPECT_TRUE(there || !finite) << s;
      if (!finite) break;
      EXPECT_LT(s, 3);
    }
  }
}

TEST_P(OverflowTest, NotANumberInTheInputsOrTargetsShowsInEveryKindOfNetwork) {
  for (const int kind : {0, 1, 2, 3}) {
    const Shape input = kind == 3 ? Shape{1, 1, 4, 4} : Shape{3, 16};
    Network<float> network(input);
    if (kind == 0) add_dense(network, 4, Activation::sigmoid);
    if (kind == 1) add_recurrent(network, 4, Activation::tanh);
    if (kind == 2) add_lstm(network, 4);
    if (kind == 3) add_convolution(network, {2, 3, 3, 1, 1}, Activation::tanh);
    add_dense(network, 4, Activation::relu);
    add_dense(network, 2, Activation::linear);
    OpenTraining<float> open(std::move(network), LossKind::mse, {GetParam(), false}, all_rls({}));
    arma::fmat X = as<float>(random_signal(input, 7)), targets(X.n_rows, 2, arma::fill::zeros);

    EXPECT_TRUE(open.training->step(X, targets, 7).finite);
    X(2, 3) = arma::Datum<float>::nan;
    EXPECT_FALSE(open.training->step(X, targets, 7).finite) << kind;
    EXPECT_TRUE(open.parameter(0).Theta.is_finite()) << "nothing was changed";
  }
}

// kappa ||x||^2 is 3e7 here, more than 1 / eps of float: rounding makes x'P x negative.
template <class T>
bool lasts() {
  Network<T> network({1, 199});
  network.add(std::make_unique<Dense<T>>(Shape{1, 199}, parameter_of<T>(arma::mat(200, 1, arma::fill::zeros), 1),
                                         Activation::linear));
  OpenTraining<T> open(std::move(network), LossKind::mse, {5, false}, [](std::size_t, Parameter<T>& parameter) {
    return std::make_unique<Rls<T>>(RlsOptions{.k = 10}, parameter, 1000);
  });
  for (std::uint32_t s = 1; s <= 300; ++s) {
    const arma::Mat<T> X = as<T>(with_ones(arma::mat(128 + 0.01 * normal_matrix(1, 199, 81, s)))),
                       target(1, 1, arma::fill::value(s % 2));
    if (!open.training->step(X, target, 1).finite) return false;
  }
  return open.rls[0]->P().is_finite();
}

TEST(Overflow, OfUnscaledInputsInFloatIsReported) {
  EXPECT_TRUE(lasts<double>());
  EXPECT_FALSE(lasts<float>());
}

/// Everything a training depends on after three steps, the last with a smaller batch.
arma::fmat trained(int count, Network<float> network, LossKind loss, uword samples) {
  const Threads scope(count);
  const Shape input = network.input(), output = network.output();
  OpenTraining<float> open(std::move(network), loss, {1, false},
                           [&](std::size_t i, Parameter<float>& parameter) -> std::unique_ptr<Optimiser<float>> {
                             if (i == 1) return std::make_unique<Adam<float>>(AdamOptions{}, parameter);
                             return std::make_unique<Rls<float>>(
                                 RlsOptions{.momentum = i == 0 ? 0.5 : 0, .l1 = i % 2 == 0 ? 1e-4 : 0}, parameter,
                                 samples);
                           });
  for (std::uint32_t s = 1; s <= 3; ++s) {
    const uword M = s == 3 ? samples / 2 : samples;
    const arma::fmat X = as<float>(random_signal(input, M, s));
    arma::fmat targets(output.steps * M, output.features(), arma::fill::zeros);
    targets.col(s % targets.n_cols).ones();
    EXPECT_TRUE(open.training->step(X, targets, M).finite);
  }
  arma::fvec all;
  for (const std::span<float> part : open.training->state())
    all = arma::join_cols(all, arma::fvec(part.data(), part.size()));
  return all;
}

TEST(TrainingThreads, ConvolutionsHaveTheSameBits) {
  const auto run = [](int count) {
    Network<float> network({1, 3, 16, 16});
    add_convolution(network, {8, 3, 3, 1, 1}, Activation::relu);
    add_pool(network, {2, 2, 2});
    add_convolution(network, {24, 3, 3, 1, 1}, Activation::tanh);
    add_pool(network, {3, 3, 2});
    add_dense(network, 150, Activation::sigmoid);
    add_dense(network, 10, Activation::linear);
    return trained(count, std::move(network), LossKind::cross_entropy, 50);
  };
  EXPECT_TRUE(identical(run(1), run(2)));
}

TEST(TrainingThreads, RecurrentLayersHaveTheSameBits) {
  const auto run = [](int count) {
    Network<float> network({4, 30});
    add_lstm(network, 100);
    add_lstm(network, 80);
    add_recurrent(network, 90, Activation::tanh);
    add_last_step(network);
    add_dense(network, 200, Activation::relu);
    add_dense(network, 2, Activation::linear);
    return trained(count, std::move(network), LossKind::mse, 64);
  };
  EXPECT_TRUE(identical(run(1), run(2)));
}

}  // namespace
}  // namespace elmx
