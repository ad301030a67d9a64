#include "models/elm/elm_rounds.hpp"

#include <gtest/gtest.h>

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

class ElmRounds : public testing::Test {
 protected:
  ElmRounds() {
    options_.algorithms = {"standard", "alg2", "existing", "alg1"};
    options_.nodes.start = 2;
    options_.nodes.stop = 12;
    options_.timing.at = {12, 8};
    options_.timing.repetitions = 6;
  }

  RidgeProblem<double> problem(double lambda = 0.1) const { return {problem_.H, problem_.T, lambda}; }

  ElmOptions options_;
  Problem<double> problem_ = make_problem<double>(40, 12, 2, 10, 1);
};

TEST_F(ElmRounds, EveryAlgorithmIsMeasuredInARoundBeforeTheNextBegins) {
  SlowingClock clock;
  const StepRounds<double> rounds(options_, problem(), clock);

  // A measurement takes two looks and lasts as many seconds as the second one: 2 more than the one before.
  for (const uword size : {8u, 12u}) {
    std::vector<std::vector<double>> of;
    for (const char* name : {"alg1", "alg2", "existing"}) of.push_back(rounds.step(name, size, -1).rounds);
    for (std::size_t r = 0; r < 6; ++r) {
      EXPECT_EQ(of[1][r] - of[0][r], 2) << r;
      EXPECT_EQ(of[2][r] - of[1][r], 2) << r;
      if (r > 0) {
        EXPECT_EQ(of[0][r] - of[2][r - 1], 2) << r;
      }
    }
  }
}

TEST_F(ElmRounds, WhatIsNotMeasuredInRoundsKeepsItsOneTime) {
  SlowingClock clock;
  const StepRounds<double> rounds(options_, problem(), clock);

  EXPECT_EQ(rounds.step("alg2", 8, -1).n, 6u);
  for (const Seconds& step : {rounds.step("standard", 8, 7), rounds.step("alg2", 9, 7)}) {
    EXPECT_EQ(step.mean, 7);
    EXPECT_EQ(step.n, 1u);
    EXPECT_TRUE(step.rounds.empty());
  }
}

TEST_F(ElmRounds, AnAlgorithmThatFailsIsNotMeasured) {
  problem_.H.zeros();
  SlowingClock clock;

  EXPECT_TRUE(StepRounds<double>(options_, problem(0), clock).step("alg2", 8, 7).rounds.empty());
}

TEST_F(ElmRounds, WarmingUpLeavesTheProblemAsItIs) {
  const arma::mat H = problem_.H;
  warm_up(options_, problem());

  EXPECT_TRUE(arma::approx_equal(problem_.H, H, "absdiff", 0));
}

}  // namespace
}  // namespace elmx
