#include "nets/training.hpp"

#include <gtest/gtest.h>

#include "nets/layers.hpp"
#include "nets/optimisers/rls_by_definition.hpp"
#include "support/framed.hpp"

namespace elmx {
namespace {

arma::mat every_fifth(uword rows, uword classes) {
  arma::mat targets(rows, classes, arma::fill::zeros);
  for (uword i = 0; i < rows; ++i) targets(i, (5 * i + 2) % classes) = 1;
  return targets;
}

/// All layers by RLS, full batches of so many rows.
auto all_rls(const RlsOptions& options, uword rows) {
  return [=](std::size_t, Parameter<double>& parameter) {
    return std::make_unique<Rls<double>>(options, parameter, rows);
  };
}

/// 8 - 40 (tanh) - 3: with batches of 5 the first layer has factors, the second not.
Network<double> wide_network() {
  Network<double> network({1, 8});
  add_dense(network, 40, Activation::tanh);
  add_dense(network, 3, Activation::linear);
  return network;
}

class ClippedTest : public testing::TestWithParam<ClipOptions> {};
INSTANTIATE_TEST_SUITE_P(Each, ClippedTest,
                         testing::Values(ClipOptions{}, ClipOptions{1e9, false}, ClipOptions{0.05, false},
                                         ClipOptions{0.05, true}, ClipOptions{0.5, true}),
                         [](const auto& test) {
                           return (test.param.by_layer ? "layer" : "global") + std::to_string(test.index);
                         });

TEST_P(ClippedTest, FactorsAndProductsGiveTheSameTraining) {
  for (const RlsOptions& options : {RlsOptions{}, RlsOptions{.forgetting = 0.95, .momentum = 0.5, .l1 = 1e-3}}) {
    OpenTraining<> factored(wide_network(), LossKind::mse, GetParam(), all_rls(options, 5)),
        direct(wide_network(), LossKind::mse, GetParam(), all_rls(options, 1000));
    EXPECT_TRUE(factored.parameter(0).needs.factors);
    EXPECT_FALSE(factored.parameter(1).needs.factors || direct.parameter(0).needs.factors);
    for (std::uint32_t s = 1; s <= 6; ++s) {
      const uword M = s % 3 == 0 ? 2 : 5;
      const arma::mat X = random_signal({1, 8}, M, s);

      const StepSummary one = factored.training->step(X, every_fifth(M, 3), M),
                        other = direct.training->step(X, every_fifth(M, 3), M);

      EXPECT_NEAR(one.loss, other.loss, 1e-13 * other.loss);
      EXPECT_NEAR(one.norm, other.norm, 1e-13 * other.norm);
      for (const std::size_t i : {0, 1}) {
        EXPECT_LE(relative_difference(factored.parameter(i).Theta, direct.parameter(i).Theta), 1e-12) << s;
        EXPECT_LE(relative_difference(factored.rls[i]->P(), direct.rls[i]->P()), 1e-12);
      }
    }
  }
}

// The gradients are those of J, multiplied by min(1, c / (norm + 1e-6)), one norm for all or for each layer.
TEST_P(ClippedTest, StepsAreThoseOfTheDefinitionWithClippedGradients) {
  const ClipOptions clip = GetParam();
  const Shape input{3, 4};
  const auto make = [&](Network<double>& network) {
    add_lstm(network, 3);
    add_last_step(network);
    add_dense(network, 2, Activation::linear);
  };
  Network<double> network(input);
  OpenNetwork judge(input);
  make(network);
  judge.network.add(std::make_unique<Lstm<double>>(input, *network.parameters()[0], *network.parameters()[1]));
  add_last_step(judge.network);
  judge.network.add(
      std::make_unique<Dense<double>>(judge.network.output(), *network.parameters()[2], Activation::linear));
  for (const std::size_t i : {1, 2, 3}) judge.network.parameters()[i]->needs.average = true;
  const RlsOptions options{.forgetting = 0.9, .k = 0.4, .eta = 0.8, .momentum = 0.3};
  std::vector<RlsByDefinition> expected;
  for (const std::size_t i : {0, 1, 2}) expected.emplace_back(options, network.parameters()[i]->Theta, i == 2 ? 1 : 3);
  OpenTraining<> open(std::move(network), LossKind::mse, clip, all_rls(options, 5));

  for (std::uint32_t s = 1; s <= 3; ++s) {
    const arma::mat X = random_signal(input, 5, s), targets = every_fifth(5, 2);
    const StepSummary summary = open.training->step(X, targets, 5);

    auto D = judge.gradients(X, 5, loss_objective(LossKind::mse, targets, 5));
    D.erase(D.begin());
    std::vector<double> squares;
    for (const arma::mat& each : D) squares.push_back(arma::accu(arma::square(each)));
    const double layers[] = {squares[0] + squares[1], squares[0] + squares[1], squares[2]},
                 all = squares[0] + squares[1] + squares[2];
    EXPECT_TRUE(summary.finite);
    EXPECT_NEAR(summary.norm, clip.threshold > 0 ? std::sqrt(all) : 0, 1e-13);
    for (const std::size_t i : {0, 1, 2}) {
      const double norm = std::sqrt(clip.by_layer ? layers[i] : all);
      const double factor = clip.threshold > 0 ? std::min(1.0, clip.threshold / (norm + 1e-6)) : 1;
      const Parameter<double>& parameter = *judge.network.parameters()[i + 1];
      expected[i].update(parameter.x, factor * D[i]);
      EXPECT_LE(relative_difference(open.parameter(i).Theta, expected[i].Theta), 1e-12) << i;
      EXPECT_LE(relative_difference(open.rls[i]->P(), expected[i].P), 1e-12) << i;
      judge.network.parameters()[i + 1]->Theta = open.parameter(i).Theta;
    }
  }
  EXPECT_EQ(open.training->steps(), 3u);
}

TEST(Samples, AreGatheredStepByStep) {
  const arma::mat columns = normal_matrix(2 * 3, 40, 1, 1);  // two steps of three features
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t m = 0; m < 19; ++m) chosen.push_back(7 * m % 40);
  Framed<double> out(arma::mat(2 * 19, 4, arma::fill::zeros));

  Samples<double>(columns, 2).gather(chosen, out.view());

  const arma::mat found = out.content();
  for (arma::uword t = 0; t < 2; ++t) {
    for (arma::uword m = 0; m < 19; ++m) {
      for (arma::uword f = 0; f < 3; ++f) EXPECT_EQ(found(t * 19 + m, f), columns(t * 3 + f, chosen[m]));
    }
  }
  EXPECT_FALSE(arma::any(found.col(3)));
  EXPECT_FALSE(out.touched());
}

TEST(Training, AHugeThresholdChangesNothing) {
  OpenTraining<> free(wide_network(), LossKind::mse, {}, all_rls({}, 5)),
      clipped(wide_network(), LossKind::mse, {1e12, true}, all_rls({}, 5));
  for (std::uint32_t s = 1; s <= 3; ++s) {
    const arma::mat X = random_signal({1, 8}, 5, s);
    free.training->step(X, every_fifth(5, 3), 5);
    clipped.training->step(X, every_fifth(5, 3), 5);
  }
  for (const std::size_t i : {0, 1}) EXPECT_TRUE(identical(free.parameter(i).Theta, clipped.parameter(i).Theta));
}

// Section 9, test 9.
TEST(Training, HybridIsAdamAtTheOutputAndRlsBeforeIt) {
  const auto optimiser = [](bool adam) {
    return [=](std::size_t i, Parameter<double>& parameter) -> std::unique_ptr<Optimiser<double>> {
      if (adam || i == 1) return std::make_unique<Adam<double>>(AdamOptions{}, parameter);
      return std::make_unique<Rls<double>>(RlsOptions{}, parameter, 5);
    };
  };
  OpenTraining<> hybrid(wide_network(), LossKind::cross_entropy, {}, optimiser(false)),
      adam(wide_network(), LossKind::cross_entropy, {}, optimiser(true));
  OpenTraining<> rls(wide_network(), LossKind::mse, {}, all_rls({}, 5));
  const arma::mat X = random_signal({1, 8}, 5);

  for (const auto* open : {&hybrid, &adam, &rls}) open->training->step(X, every_fifth(5, 3), 5);

  EXPECT_TRUE(identical(hybrid.parameter(1).Theta, adam.parameter(1).Theta));
  EXPECT_TRUE(identical(hybrid.rls[0]->P(), rls.rls[0]->P())) << "P depends on the inputs of the layer only";
  EXPECT_FALSE(identical(hybrid.parameter(0).Theta, adam.parameter(0).Theta));
}

// Section 9, test 7: with T = 1 the layer is [Y^in, 1] Theta^w and the bias of Theta^v, x^v = (0, .., 0, 1).
TEST(Training, ARecurrentLayerWithOneStepIsADenseOneAndABias) {
  Network<double> recurrent({1, 4}), dense({1, 4});
  add_recurrent(recurrent, 3, Activation::tanh);
  const arma::mat w = recurrent.parameters()[0]->Theta, v = recurrent.parameters()[1]->Theta;
  arma::mat both = w;
  both.row(4) += v.row(3);
  dense.add(std::make_unique<Dense<double>>(Shape{1, 4}, parameter_of(both, 1), Activation::tanh));
  const RlsOptions options{.k = 0.7};
  OpenTraining<> one(std::move(recurrent), LossKind::mse, {}, all_rls(options, 1000)),
      other(std::move(dense), LossKind::mse, {}, all_rls(options, 1000));
  const arma::mat X = random_signal({1, 4}, 6), targets = every_fifth(6, 3);

  EXPECT_NEAR(one.training->step(X, targets, 6).loss, other.training->step(X, targets, 6).loss, 1e-14);

  EXPECT_LE(relative_difference(arma::mat(one.parameter(0).Theta - w), arma::mat(other.parameter(0).Theta - both)),
            1e-13);
  EXPECT_LE(relative_difference(one.rls[0]->P(), other.rls[0]->P()), 1e-14);
  EXPECT_EQ(arma::norm(one.parameter(1).x - arma::vec{0, 0, 0, 1}), 0);
  arma::mat expected_v = v, P(4, 4, arma::fill::eye);
  expected_v.row(3) -= other.parameter(0).D.row(4) / 1.7;
  P(3, 3) = 1 / 1.7;
  EXPECT_LE(relative_difference(one.parameter(1).Theta, expected_v), 1e-14);
  EXPECT_LE(relative_difference(one.rls[1]->P(), P), 1e-14);
}

// Section 9, test 10.
TEST(Training, TheOrderOfTheSamplesOfABatchIsNoMatter) {
  const auto trained = [](const std::vector<uword>& order) {
    Network<double> network({3, 4});
    add_lstm(network, 5);
    add_recurrent(network, 4, Activation::tanh);
    add_dense(network, 2, Activation::linear);
    OpenTraining<> open(std::move(network), LossKind::cross_entropy, {1, false},
                        all_rls({.momentum = 0.5, .l1 = 1e-3}, 18));
    for (std::uint32_t s = 1; s <= 4; ++s) {
      const arma::mat X = random_signal({3, 4}, 6, s), targets = every_fifth(18, 2);
      arma::uvec rows(18);
      for (uword t = 0; t < 3; ++t) {
        for (uword m = 0; m < 6; ++m) rows(6 * t + m) = 6 * t + order[m];
      }
      open.training->step(arma::mat(X.rows(rows)), arma::mat(targets.rows(rows)), 6);
    }
    return open.parameter(0).Theta;
  };

  EXPECT_LE(relative_difference(trained({0, 1, 2, 3, 4, 5}), trained({4, 0, 5, 2, 1, 3})), 1e-12);
}

TEST(Training, RefusesAnotherNumberOfOptimisers) {
  EXPECT_THROW(Training<double>(wide_network(), Loss<double>(LossKind::mse), {}, {}), std::logic_error);
}

}  // namespace
}  // namespace elmx
