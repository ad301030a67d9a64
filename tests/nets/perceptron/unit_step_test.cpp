#include "nets/perceptron/unit_step.hpp"

#include <gtest/gtest.h>

#include "nets/golden.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"

namespace elmx {
namespace {

/// E(w) - E(w_0) of unit j, from two values of E.
double change_by_definition(const Net& net, uword j, const arma::vec& w) {
  arma::mat W = net.W;
  W.col(j) = w;
  return static_cast<double>(error_by_definition(net, W, net.Lambda) - error_by_definition(net, net.W, net.Lambda));
}

UnitStep step_of(const Net& net, uword j, double threshold, const UnitStepOptions& options) {
  const arma::vec w0 = net.W.col(j);
  const arma::mat H = hidden_by_definition(net.X, net.W), R = H * net.Lambda - net.Y;
  const PerceptronProblem problem = net.problem();
  return unit_step(UnitError(problem, w0, H.colptr(j), net.Lambda.row(j), View<const double>(R)), threshold, options);
}

class UnitStepTest : public testing::TestWithParam<uword> {
 protected:
  const Net net = random_net(60, 4, 6, GetParam(), 7);
  const double rounding = 1e-11;

  /// Algorithm 2 by definition: alpha and backtracks.
  std::pair<double, std::size_t> armijo(uword j, const arma::vec& gradient, const ArmijoOptions& options) const {
    double alpha = options.a;
    for (std::size_t i = 0;; ++i, alpha *= options.delta) {
      if (i == options.trials) return {0, i};
      const arma::vec w = net.W.col(j) - alpha * gradient;
      if (change_by_definition(net, j, w) <= -options.gamma * alpha * arma::dot(gradient, gradient)) return {alpha, i};
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Outputs, UnitStepTest, testing::Values(1, 3));

TEST_P(UnitStepTest, ArmijoStepIsThatOfAlgorithmTwo) {
  UnitStepOptions options;
  options.inner = false;
  for (const ArmijoOptions& armijo_options : {ArmijoOptions{}, ArmijoOptions{8, 1e-4, 0.5, 60},
                                              ArmijoOptions{20, 0.5, 0.3, 60}, ArmijoOptions{1, 0.9, 0.7, 60}}) {
    options.armijo = armijo_options;
    for (uword j = 0; j < 6; ++j) {
      const UnitStep step = step_of(net, j, 0, options);
      const auto [alpha, backtracks] = armijo(j, step.gradient, armijo_options);

      EXPECT_EQ(step.backtracks, backtracks);
      EXPECT_DOUBLE_EQ(step.alpha, alpha);
      EXPECT_LE(relative_difference(arma::mat(step.w), arma::mat(net.W.col(j) - alpha * step.gradient)),
                tolerance(5, 1));
      EXPECT_NEAR(step.change, change_by_definition(net, j, step.w), rounding);
      EXPECT_FALSE(step.inner_accepted || step.skipped);
    }
  }
}

TEST_P(UnitStepTest, GradientIsThatOfTheWholeError) {
  arma::mat grad_W(arma::size(net.W)), grad_Lambda(arma::size(net.Lambda));
  error_and_gradient(net.problem(), net.W, net.Lambda, View<double>(grad_W), View<double>(grad_Lambda));

  for (uword j = 0; j < 6; ++j) {
    EXPECT_LE(relative_difference(arma::mat(step_of(net, j, 0, {}).gradient), arma::mat(grad_W.col(j))),
              10 * tolerance(60, 1));
  }
}

// (25), (26), and (30): E(w) <= E(w_0) - min(tau, gamma / a) ||w - w_0||^2.
TEST_P(UnitStepTest, AcceptedPointsSatisfyTheTests) {
  for (const bool from_armijo : {true, false}) {
    for (const double tau : {1e-6, 1e-2, 0.5, 5.0}) {
      UnitStepOptions options;
      options.tau = tau;
      options.inner_from_armijo = from_armijo;
      UnitStepOptions armijo_only = options;
      armijo_only.inner = false;
      for (uword j = 0; j < 6; ++j) {
        const UnitStep step = step_of(net, j, 0, options), reference = step_of(net, j, 0, armijo_only);
        const double change = change_by_definition(net, j, step.w), distance = arma::norm(step.w - net.W.col(j));

        EXPECT_NEAR(step.change, change, rounding);
        EXPECT_LE(change, -std::min(tau, 1e-4) * distance * distance + rounding) << "(30)";
        if (step.inner_accepted) {
          EXPECT_LE(change, reference.change + rounding) << "(25)";
          EXPECT_LE(change, -tau * distance * distance + rounding) << "(26)";
        } else {
          EXPECT_TRUE(identical(step.w, reference.w)) << "the Armijo point";
          EXPECT_EQ(step.change, reference.change);
        }
      }
    }
  }
}

// The L-BFGS point that is taken for tau = 0 is taken up to the tau for which (26) is an equality.
TEST_P(UnitStepTest, TestTwentySixDecides) {
  std::size_t taken = 0, refused = 0;
  for (uword j = 0; j < 6; ++j) {
    UnitStepOptions options;
    options.tau = 0;
    options.lbfgs.accuracy = 1e-6;
    const UnitStep step = step_of(net, j, 0, options);
    if (!step.inner_accepted) continue;
    const double distance = arma::norm(step.w - net.W.col(j)), edge = -step.change / (distance * distance);

    options.tau = edge * (1 - 1e-6);
    taken += step_of(net, j, 0, options).inner_accepted;
    options.tau = edge * (1 + 1e-6);
    refused += !step_of(net, j, 0, options).inner_accepted;
  }

  EXPECT_GE(taken, 4u);
  EXPECT_EQ(refused, taken);
}

// From the current point an L-BFGS iteration can end above the Armijo point, where that one is past the
// minimum of the line.
TEST_P(UnitStepTest, TestTwentyFiveDecidesFromTheCurrentPoint) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Net other = random_net(60, 4, 2, GetParam(), seed);
    UnitStepOptions options;
    options.inner_from_armijo = false;
    options.lbfgs.iterations = 1;
    options.armijo.a = 2;
    const UnitStep step = step_of(other, 0, 0, options);
    options.inner = false;
    const UnitStep reference = step_of(other, 0, 0, options);

    EXPECT_LE(step.change, reference.change) << seed;
    refused += !step.inner_accepted && reference.alpha > 0;
  }

  EXPECT_GT(refused, 0u);
}

// From the point that the options say, its first trial as long as the Armijo step or of the length they say.
TEST_P(UnitStepTest, TheInnerMethodIsLbfgsFromItsStart) {
  for (const auto& [from_armijo, armijo_length] : {std::pair(true, true), {false, true}, {true, false}}) {
    UnitStepOptions options;
    options.inner_from_armijo = from_armijo;
    options.armijo_length = armijo_length;
    options.lbfgs.accuracy = 1e-4;
    options.lbfgs.iterations = 3;
    UnitStepOptions armijo_only = options;
    armijo_only.inner = false;
    int accepted = 0;
    for (uword j = 0; j < 6; ++j) {
      const UnitStep step = step_of(net, j, 0, options), armijo = step_of(net, j, 0, armijo_only);
      const arma::vec w0 = net.W.col(j);
      const arma::mat H = hidden_by_definition(net.X, net.W), R = H * net.Lambda - net.Y;
      const PerceptronProblem problem = net.problem();
      const UnitError error(problem, w0, H.colptr(j), net.Lambda.row(j), View<const double>(R));
      arma::vec w = from_armijo ? armijo.w : w0;
      LbfgsOptions lbfgs = options.lbfgs;
      lbfgs.first_step = armijo_length ? armijo.alpha * arma::norm(armijo.gradient) : 1;
      minimise_lbfgs([&](const double* x, double* gradient) { return error(x, gradient); }, w, lbfgs);

      accepted += step.inner_accepted;
      if (step.inner_accepted) {
        EXPECT_TRUE(identical(step.w, w)) << j;
      }
    }

    EXPECT_GE(accepted, 3);
  }
}

// The line search can end it earlier, on one unit of the six here.
TEST_P(UnitStepTest, BeyondTheArmijoPointTheGradientIsMadeSmall) {
  for (const bool from_armijo : {true, false}) {
    UnitStepOptions options;
    options.inner_from_armijo = from_armijo;
    options.lbfgs.accuracy = 1e-8;
    options.lbfgs.iterations = 1000;
    int small = 0;
    for (uword j = 0; j < 6; ++j) {
      const UnitStep step = step_of(net, j, 0, options);
      ASSERT_TRUE(step.inner_accepted);
      Net there = net;
      there.W.col(j) = step.w;
      small += arma::norm(step_of(there, j, 1e9, {}).gradient) <= 1.01e-8 * std::max(1.0, arma::norm(step.w));
    }

    EXPECT_GE(small, 5);
  }
}

TEST_P(UnitStepTest, AUnitIsLeftAloneWhereItsGradientIsAtMostTheThreshold) {
  const double norm = arma::norm(step_of(net, 2, 0, {}).gradient);

  const UnitStep at = step_of(net, 2, norm, {}), above = step_of(net, 2, norm * (1 - 1e-12), {});

  EXPECT_TRUE(at.skipped);
  EXPECT_TRUE(identical(at.w, arma::vec(net.W.col(2))));
  EXPECT_EQ(at.change, 0);
  EXPECT_EQ(at.alpha, 0);
  EXPECT_FALSE(above.skipped);
  EXPECT_LT(above.change, 0);
}

TEST_P(UnitStepTest, WithoutAnArmijoPointTheUnitStays) {
  UnitStepOptions options;
  options.armijo.gamma = 1;  // no decrease is that large where E is convex along the gradient
  options.armijo.a = 1e3;
  options.armijo.trials = 3;
  options.inner = false;

  const UnitStep step = step_of(net, 1, 0, options);

  EXPECT_EQ(step.backtracks, 3u);
  EXPECT_EQ(step.alpha, 0);
  EXPECT_EQ(step.change, 0);
  EXPECT_TRUE(identical(step.w, arma::vec(net.W.col(1))));
}

// A threshold of 0 is "never skip unless exactly zero".
TEST(UnitStep, AStationaryUnitIsSkippedAtThresholdZero) {
  Net net = random_net(20, 2, 3, 1, 7);
  net.tau_w = 0;
  net.Lambda.row(1).zeros();

  const UnitStep step = step_of(net, 1, 0, {});

  EXPECT_TRUE(step.skipped);
  EXPECT_EQ(arma::norm(step.gradient), 0);
}

TEST(UnitStep, ASaturatedUnitShrinksByItsPenaltyOnly) {
  Net net = random_net(50, 3, 4, 2, 7);
  net.X.tail_cols(3) *= 1e5;

  const UnitStep step = step_of(net, 1, 0, {});

  EXPECT_TRUE(step.w.is_finite());
  EXPECT_LE(step.change, 0);
  EXPECT_LE(relative_difference(arma::mat(step.gradient), arma::mat(net.tau_w * net.W.col(1))), tolerance(1, 1));
}

}  // namespace
}  // namespace elmx
