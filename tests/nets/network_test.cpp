#include <gtest/gtest.h>

#include "nets/layers.hpp"
#include "nets/training.hpp"

namespace elmx {
namespace {

TEST(Network, WithoutLayersIsItsInput) {
  Network<double> network({2, 3});
  const arma::mat X = random_signal({2, 3}, 4);

  EXPECT_EQ(network.output(), (Shape{2, 3}));
  EXPECT_EQ(relative_difference(network.forward(X, 4).copy(), X), 0);
  EXPECT_TRUE(network.parameters().empty());
}

TEST(Network, ParametersAreThoseOfTheLayersInOrder) {
  Network<double> network({3, 4});
  add_lstm(network, 2);
  add_recurrent(network, 5, Activation::tanh);
  add_last_step(network);
  add_dense(network, 6, Activation::linear);

  std::vector<uword> sizes;
  for (const Parameter<double>* parameter : network.parameters())
    sizes.insert(sizes.end(), {parameter->inputs(), parameter->outputs()});

  EXPECT_EQ(sizes, (std::vector<uword>{5, 8, 3, 8, 3, 5, 6, 5, 6, 6}));
  EXPECT_EQ(network.output(), (Shape{1, 6}));
}

// Nothing is asked for the gradient of what lies before the first parameters; with it or without, the others
// are the same.
TEST(Network, GradientsDoNotDependOnWhatComesBefore) {
  const Shape input{1, 2, 6, 6};
  Network<double> network(input);
  OpenNetwork open(input);
  for (Network<double>* each : {&network, &open.network}) {
    add_pool(*each, {2, 2, 1});
    const uword patch = 2 * 3 * 3;
    each->add(std::make_unique<Convolution<double>>(each->output(), ConvolutionOptions{3, 3, 3, 1, 0},
                                                    parameter_of(normal_matrix(patch + 1, 3, 5), 1), Activation::tanh));
    each->add(
        std::make_unique<Dense<double>>(each->output(), parameter_of(normal_matrix(28, 2, 6), 2), Activation::linear));
  }
  const arma::mat X = random_signal(input, 5);
  arma::mat dZ;
  random_objective()(outputs_of(network, X, 5), dZ);

  network.backward(View<double>(dZ));

  const auto gradients = open.gradients(X, 5, random_objective());
  for (const std::size_t i : {0, 1}) EXPECT_EQ(relative_difference(network.parameters()[i]->D, gradients[i + 1]), 0);
  EXPECT_LE(gradient_error(open, X, 5), 1e-6);
}

/// Without parameters, and with no way back.
class OneWay final : public Layer<double> {
 public:
  Shape output() const override { return {1, 2}; }
  View<const double> forward(View<const double> X, uword) override { return X; }
  void backward(View<double>, View<double>*) override { ADD_FAILURE() << "there is nothing to train here"; }
};

/// The first with parameters.
class First final : public Layer<double> {
 public:
  explicit First(Parameter<double> parameter) : parameter_(std::move(parameter)) {}
  Shape output() const override { return {1, 2}; }
  View<const double> forward(View<const double> X, uword) override { return X; }
  void backward(View<double>, View<double>* dX) override {
    EXPECT_EQ(dX, nullptr);
    ++calls;
  }
  std::vector<Parameter<double>*> parameters() override { return {&parameter_}; }
  int calls = 0;

 private:
  Parameter<double> parameter_;
};

TEST(Network, GoesBackToTheFirstParametersAndNoFurther) {
  Network<double> network({1, 2});
  network.add(std::make_unique<OneWay>());
  auto layer = std::make_unique<First>(parameter_of(arma::mat(1, 1)));
  First& first = *layer;
  network.add(std::move(layer));
  add_dense(network, 3, Activation::linear);
  arma::mat dZ(4, 3, arma::fill::ones);

  const arma::mat X = random_signal({1, 2}, 4);
  network.forward(X, 4);
  network.backward(View<double>(dZ));

  EXPECT_EQ(first.calls, 1);
}

// The convolution has one channel before it: what comes back through it is the pool's.
TEST(Network, OfImagesWithOneChannelEverywhere) {
  OpenNetwork open({1, 1, 7, 7});
  add_convolution(open.network, {1, 3, 2, 1, 1}, Activation::tanh);
  add_convolution(open.network, {2, 2, 2, 2, 0}, Activation::tanh);
  add_pool(open.network, {2, 2, 1});
  add_dense(open.network, 4, Activation::relu);
  add_dense(open.network, 2, Activation::linear);

  EXPECT_LE(gradient_error(open, random_signal({1, 1, 7, 7}, 4), 4), 1e-6);
  const arma::mat targets{{1, 0}, {0, 1}, {1, 0}, {0, 1}};
  EXPECT_LE(
      gradient_error(open, random_signal({1, 1, 7, 7}, 4), 4, loss_objective(LossKind::cross_entropy, targets, 4)),
      1e-6);
}

}  // namespace
}  // namespace elmx
