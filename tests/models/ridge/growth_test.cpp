#include "models/ridge/growth.hpp"

#include <gtest/gtest.h>

#include "models/ridge/ridge_cost.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

/// Look k takes k seconds: a machine that becomes slower and slower.
class SlowingClock : public Clock {
 public:
  double now() override { return now_ += static_cast<double>(++looks_); }

 private:
  double now_ = 0;
  long looks_ = 0;
};

class StepRoundsTest : public testing::Test {
 protected:
  StepRoundsTest() {
    setup_.algorithms = {"standard", "alg2", "existing", "alg1"};
    setup_.lambdas = {0.1};
    setup_.first = 2;
    setup_.columns = {8, 12};
    setup_.timed = {12, 8};
    setup_.repetitions = 6;
  }

  StepRounds<double> rounds(Clock& clock, double lambda = 0.1) const {
    return {setup_, A_, View<const double>(problem_.T), lambda, clock};
  }

  RidgeSetup setup_;
  Problem<double> problem_ = make_problem<double>(40, 12, 2, 10, 1);
  StoredMatrix<double> A_{View<const double>(problem_.H)};
};

TEST_F(StepRoundsTest, EveryAlgorithmIsMeasuredInARoundBeforeTheNextBegins) {
  SlowingClock clock;
  const StepRounds<double> measured = rounds(clock);

  // A measurement takes two looks and lasts as many seconds as the second one: 2 more than the one before.
  for (const uword size : {8u, 12u}) {
    std::vector<std::vector<double>> of;
    for (const char* name : {"alg1", "alg2", "existing"}) of.push_back(measured.step(name, size, -1).rounds);
    for (std::size_t r = 0; r < 6; ++r) {
      EXPECT_EQ(of[1][r] - of[0][r], 2) << r;
      EXPECT_EQ(of[2][r] - of[1][r], 2) << r;
      if (r > 0) {
        EXPECT_EQ(of[0][r] - of[2][r - 1], 2) << r;
      }
    }
  }
}

TEST_F(StepRoundsTest, WhatIsNotMeasuredInRoundsKeepsItsOneTime) {
  SlowingClock clock;
  const StepRounds<double> measured = rounds(clock);

  EXPECT_EQ(measured.step("alg2", 8, -1).n, 6u);
  for (const Seconds& step : {measured.step("standard", 8, 7), measured.step("alg2", 9, 7)}) {
    EXPECT_EQ(step.mean, 7);
    EXPECT_EQ(step.n, 1u);
    EXPECT_TRUE(step.rounds.empty());
  }
}

// Read and write at least: B and D of existing (N x L each), B of algorithm 1, the matrix of algorithm 2 (L x
// L).
TEST_F(StepRoundsTest, ThePlanCountsTheCopiesOfTheStatesOnceForEachSize) {
  setup_.capacity = 12;
  const Sizes sizes{40, 10, 5, 2};
  const auto bytes = [&](std::size_t repetitions) {
    setup_.repetitions = repetitions;
    return ridge_cost(setup_, {}, sizes).bytes_moved;
  };
  const double of_a_round = bytes(11) - bytes(10);
  setup_.timed = {12, 8, 8, 12};

  EXPECT_GE(of_a_round, 2 * 2 * 8 * (3 * 40 * 12 + 12 * 12));
  EXPECT_NEAR(bytes(11) - bytes(10), of_a_round, 1e-9 * of_a_round);
}

// Two states of B and D (N x L each) with symmetric products; two of B with full ones, and three matrices
// aside.
TEST_F(StepRoundsTest, ThePlanCountsWhatFullProductsFormAside) {
  setup_.algorithms = {"existing"};
  setup_.capacity = 12;
  const Sizes sizes{40, 10, 5, 2};
  const double symmetric = ridge_cost(setup_, {}, sizes).bytes;
  setup_.options.products.products = "full";

  EXPECT_NEAR(ridge_cost(setup_, {}, sizes).bytes - symmetric, 8 * 40 * 12, 1e-6);
}

TEST_F(StepRoundsTest, AnAlgorithmThatFailsIsNotMeasured) {
  problem_.H.zeros();
  SlowingClock clock;

  EXPECT_TRUE(rounds(clock, 0).step("alg2", 8, 7).rounds.empty());
}

TEST_F(StepRoundsTest, WarmingUpLeavesTheProblemAsItIs) {
  const arma::mat H = problem_.H;
  warm_up<double>(setup_, A_, View<const double>(problem_.T));

  EXPECT_TRUE(arma::approx_equal(problem_.H, H, "absdiff", 0));
}

}  // namespace
}  // namespace elmx
