#include <gtest/gtest.h>

#include "nets/perceptron/decomposition.hpp"
#include "nets/trainings.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

// What every scheme owes.

class EveryScheme : public testing::TestWithParam<std::tuple<std::string, uword>> {
 protected:
  const std::string scheme = std::get<0>(GetParam());
  const Net net = random_net(80, 4, 5, std::get<1>(GetParam()), 7);
};

INSTANTIATE_TEST_SUITE_P(Each, EveryScheme, testing::Combine(testing::ValuesIn(scheme_names()), testing::Values(1, 3)));

TEST_P(EveryScheme, TheErrorNeverIncreases) {
  for (const OutputSolver solver : {OutputSolver::cholesky, OutputSolver::qr, OutputSolver::cg}) {
    DecompositionOptions options;
    options.outputs = solver;
    Decomposition training = training_of(net, scheme, options);
    double before = error_of(net, training);
    for (int i = 0; i < 30; ++i) {
      ASSERT_EQ(training.block_step(), Status::ok);
      const double now = error_of(net, training);
      ASSERT_LE(now, before + 1e-12 * (1 + before)) << "block step " << i;
      before = now;
    }
  }
}

TEST_P(EveryScheme, CachesAreFreshAfterEveryBlockStep) {
  Decomposition training = training_of(net, scheme);
  expect_caches_are_fresh(net, training);
  for (int i = 0; i < 15; ++i) {
    ASSERT_EQ(training.block_step(), Status::ok);
    expect_caches_are_fresh(net, training);
  }
}

TEST_P(EveryScheme, CountsItsBlockSteps) {
  const Scheme blocks = scheme_from(scheme, net.W.n_cols, 2);
  Decomposition training = training_of(net, scheme);

  EXPECT_EQ(training.k(), 0u);
  for (std::size_t K = 0; K < 4; ++K) {
    ASSERT_EQ(training.major_step(), Status::ok);
    EXPECT_EQ(training.k(), blocks.opening.size() + K * blocks.major.size());
  }
}

// A block step changes no weights but those of L and J, and after it the gradient of the output weights in J
// is zero.
TEST_P(EveryScheme, ABlockStepIsConfinedToItsBlock) {
  const Scheme blocks = scheme_from(scheme, net.W.n_cols, 2);
  Decomposition training = training_of(net, scheme);
  std::vector<BlockStep> steps = blocks.opening;
  steps.insert(steps.end(), blocks.major.begin(), blocks.major.end());
  const auto holds = [](const Units& set, uword j) { return j >= set.first && j < set.first + set.count; };

  for (const BlockStep& step : steps) {
    const arma::mat W = training.W(), Lambda = training.Lambda();
    ASSERT_EQ(training.block_step(), Status::ok);
    for (uword j = 0; j < net.W.n_cols; ++j) {
      EXPECT_EQ(identical(arma::mat(W.col(j)), arma::mat(training.W().col(j))), !holds(step.L, j)) << j;
      if (holds(step.J, j)) {
        EXPECT_LE(gradient_of_output(net, training, j), 1e-11) << j;
      } else {
        EXPECT_TRUE(identical(arma::mat(Lambda.row(j)), arma::mat(training.Lambda().row(j)))) << j;
      }
    }
  }
}

TEST_P(EveryScheme, SaturatedUnitsAreNotANumberNowhere) {
  Net raw = net;
  raw.X.tail_cols(4) *= 1e5;
  Decomposition training = training_of(raw, scheme);
  for (int K = 0; K < 4; ++K) ASSERT_EQ(training.major_step(), Status::ok);

  EXPECT_TRUE(training.W().is_finite() && training.Lambda().is_finite() && training.H().is_finite());
  EXPECT_TRUE(std::isfinite(training.error()) && std::isfinite(training.gradient_norm()));
  EXPECT_LE(training.error(), error_of(raw, training_of(raw, scheme)));
}

TEST_P(EveryScheme, OneSampleAndOneUnit) {
  for (const auto& [P, N] : std::vector<std::pair<uword, uword>>{{1, 1}, {1, 4}, {30, 1}, {2, 5}}) {
    const Net small = random_net(P, 1, N, std::get<1>(GetParam()), 7);
    Decomposition training = training_of(small, scheme);
    double before = training.error();
    for (int K = 0; K < 4; ++K) {
      ASSERT_EQ(training.major_step(), Status::ok) << P << " samples, " << N << " units";
      EXPECT_LE(training.error(), before + 1e-12 * (1 + before));
      before = training.error();
    }
    expect_caches_are_fresh(small, training);
  }
}

TEST_P(EveryScheme, ResultsDoNotDependOnTheNumberOfThreads) {
  const Net large = random_net(10000, 3, 4, std::get<1>(GetParam()), 7);
  for (const OutputSolver solver : {OutputSolver::cholesky, OutputSolver::cg}) {
    const auto on = [&](int count) {
      const Threads scope(count);
      DecompositionOptions options;
      options.outputs = solver;
      options.unit.lbfgs.iterations = 20;
      Decomposition training = training_of(large, scheme, options);
      for (int K = 0; K < 2; ++K) EXPECT_EQ(training.major_step(), Status::ok);
      return training;
    };
    const Decomposition one = on(1);
    for (const int count : {2, 3}) {
      const Decomposition other = on(count);
      EXPECT_TRUE(identical(one.W(), other.W()));
      EXPECT_TRUE(identical(one.Lambda(), other.Lambda()));
      EXPECT_TRUE(identical(one.R(), other.R()));
      EXPECT_EQ(one.error(), other.error());
      EXPECT_EQ(one.gradient_norm(), other.gradient_norm());
    }
  }
}

}  // namespace
}  // namespace elmx
