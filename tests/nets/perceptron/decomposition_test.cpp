#include "nets/perceptron/decomposition.hpp"

#include <gtest/gtest.h>

#include "linalg/decompositions.hpp"
#include "nets/trainings.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class DecTest : public testing::TestWithParam<uword> {
 protected:
  const Net net = random_net(80, 4, 5, GetParam(), 7);
};

INSTANTIATE_TEST_SUITE_P(Outputs, DecTest, testing::Values(1, 3));

// K full minimisations and (K - 1) N unit steps: one k each.
TEST_P(DecTest, MaxiterKIsKFullMinimisationsAndTheSweepsBetween) {
  Decomposition training = training_of(net, "dec");
  for (std::size_t K = 1; K <= 4; ++K) {
    ASSERT_EQ(training.major_step(), Status::ok);
    EXPECT_EQ(training.k(), K + (K - 1) * 5);
    for (uword j = 0; j < 5; ++j)
      EXPECT_LE(gradient_of_output(net, training, j), 1e-11) << "ends with a full minimisation";
  }
}

TEST_P(DecTest, MaxiterOneIsTheRidgeSolution) {
  Decomposition training = training_of(net, "dec");

  ASSERT_EQ(training.major_step(), Status::ok);

  EXPECT_TRUE(identical(training.W(), net.W));
  const arma::mat H = hidden_by_definition(net.X, net.W),
                  stacked = arma::join_cols(H, std::sqrt(net.tau_lambda) * arma::eye(5, 5));
  arma::mat Q, R;
  ASSERT_TRUE(arma::qr_econ(Q, R, stacked));
  const arma::mat exact =
      arma::solve(arma::trimatu(R), Q.t() * arma::join_cols(net.Y, arma::mat(5, GetParam(), arma::fill::zeros)));
  const double condition = solve_by_svd(H, net.Y, net.tau_lambda).condition;
  EXPECT_LE(relative_difference(training.Lambda(), exact), tolerance(80, 5) * condition);
}

TEST_P(DecTest, MaxiterOneIsTheMinimumNormSolutionAsThePenaltyVanishes) {
  Net free = net;
  free.tau_lambda = 1e-13;
  Decomposition training = training_of(free, "dec");
  const arma::mat H = hidden_by_definition(net.X, net.W);
  arma::mat least;
  ASSERT_EQ(minimum_norm(H, net.Y, least), Status::ok);

  ASSERT_EQ(training.major_step(), Status::ok);

  const RidgeSolution exact = solve_by_svd(H, net.Y, 0);
  EXPECT_LE(relative_difference(training.Lambda(), least),
            1e-13 * exact.inverse_norm + tolerance(80, 5) * exact.condition);
}

TEST_P(DecTest, TheOutputSolversGiveTheSameTraining) {
  const auto trained = [&](OutputSolver solver) {
    DecompositionOptions options;
    options.outputs = solver;
    options.cg.tolerance = 1e-14;
    options.cg.iterations = 200;
    options.unit.inner = false;
    Decomposition training = training_of(net, "dec", options);
    for (int K = 0; K < 3; ++K) EXPECT_EQ(training.major_step(), Status::ok);
    return training;
  };
  const Decomposition exact = trained(OutputSolver::cholesky);

  for (const OutputSolver solver : {OutputSolver::qr, OutputSolver::cg}) {
    const Decomposition other = trained(solver);
    EXPECT_LE(relative_difference(other.W(), exact.W()), 1e-9);
    EXPECT_LE(relative_difference(other.Lambda(), exact.Lambda()), 1e-9);
  }
}

// Conjugate gradients begin at the weights given: with one iteration the result depends on them.
TEST_P(DecTest, ConjugateGradientsBeginAtTheCurrentWeights) {
  DecompositionOptions options;
  options.outputs = OutputSolver::cg;
  options.cg.iterations = 1;
  const arma::mat H = hidden_by_definition(net.X, net.W);
  arma::mat expected = net.Lambda;
  minimise_by_cg({H, net.Y, net.tau_lambda}, options.cg, expected);
  Decomposition training = training_of(net, "dec", options);

  ASSERT_EQ(training.major_step(), Status::ok);

  EXPECT_LE(relative_difference(training.Lambda(), expected), 1e-11);
}

// Twenty units, so that conjugate gradients approach the solution step by step.
TEST_P(DecTest, XiToThePowerOfTheBlockStepsBoundsTheGradientOfTheOutputWeights) {
  const Net wide = random_net(200, 4, 20, GetParam(), 7);
  const auto gradient = [&](double xi) {
    DecompositionOptions options;
    options.outputs = OutputSolver::cg;
    options.cg.tolerance = 0.5;
    options.cg.iterations = 2000;
    options.xi = xi;
    options.unit.inner = false;
    Decomposition training = training_of(wide, "cycle_no_lambda", options);
    for (int K = 0; K < 2; ++K) EXPECT_EQ(training.major_step(), Status::ok);
    double sum = 0;
    for (uword j = 0; j < 20; ++j) sum += std::pow(gradient_of_output(wide, training, j), 2);
    return std::sqrt(sum);
  };
  const double bound = std::pow(0.5, 21);  // the second full minimisation is that of k = 1 + 20

  EXPECT_GT(gradient(0), 100 * bound);
  EXPECT_LE(gradient(0.5), std::sqrt(static_cast<double>(GetParam())) * bound * 1.001);
  EXPECT_GT(gradient(0.5), 1e-4 * bound) << "no further than asked";
}

// xi^k underflows from k = 52 on: it is as strict as can be then, not off.
TEST_P(DecTest, XiToAPowerThatUnderflowsStaysATest) {
  DecompositionOptions options;
  options.outputs = OutputSolver::cg;
  options.cg.tolerance = 0.5;
  options.xi = 1e-6;
  options.unit.inner = false;
  Decomposition training = training_of(net, "dec", options);
  for (int K = 0; K < 12; ++K) ASSERT_EQ(training.major_step(), Status::ok);

  ASSERT_EQ(std::pow(options.xi, static_cast<double>(training.k() - 1)), 0);
  for (uword j = 0; j < 5; ++j) EXPECT_LE(gradient_of_output(net, training, j), 1e-9);
}

TEST_P(DecTest, AfterTheStepOfOneUnitItsOutputWeightsAreStationary) {
  Decomposition training = training_of(net, "dec");
  ASSERT_EQ(training.major_step(), Status::ok);
  for (uword j = 0; j < 5; ++j) {
    training.minimise_unit(j);
    const double after_w = gradient_of_output(net, training, j);
    ASSERT_EQ(training.minimise_outputs({j, 1}), Status::ok);
    EXPECT_GT(after_w, 1e-6) << "not stationary by itself";
    EXPECT_LE(gradient_of_output(net, training, j), 1e-11);
  }
}

TEST_P(DecTest, AUnitStepChangesTheErrorByWhatItSays) {
  Decomposition training = training_of(net, "dec");
  ASSERT_EQ(training.major_step(), Status::ok);
  for (uword j = 0; j < 5; ++j) {
    const double before = error_of(net, training);
    const UnitStep step = training.minimise_unit(j);
    EXPECT_NEAR(step.change, error_of(net, training) - before, 1e-11);
    EXPECT_TRUE(identical(step.w, arma::vec(training.W().col(j))));
  }
}

// theta^k with k block steps: the first unit of the first sweep has k = 1.
TEST_P(DecTest, ThresholdIsThetaToThePowerOfTheBlockSteps) {
  Decomposition start = training_of(net, "dec");
  ASSERT_EQ(start.major_step(), Status::ok);
  const double norm = arma::norm(start.minimise_unit(0).gradient);
  for (const double nudge : {-1e-9, 1e-9}) {
    DecompositionOptions options;
    options.theta = norm * (1 + nudge);
    Decomposition training = training_of(net, "dec", options);
    ASSERT_EQ(training.block_step(), Status::ok);
    EXPECT_EQ(training.minimise_unit(0).skipped, nudge > 0);
    ASSERT_EQ(training.block_step(), Status::ok);
    const UnitStep second = training.minimise_unit(1);
    EXPECT_EQ(second.skipped, arma::norm(second.gradient) <= options.theta * options.theta);
  }
}

TEST_P(DecTest, PermutingTheSamplesLeavesTheResult) {
  Net permuted = net;
  const auto order = arma::conv_to<arma::uvec>::from(Rng(3, Purpose::split).permutation(80));
  permuted.X = net.X.rows(order);
  permuted.Y = net.Y.rows(order);
  DecompositionOptions options;
  options.unit.inner = false;
  Decomposition one = training_of(net, "dec", options), other = training_of(permuted, "dec", options);
  for (int K = 0; K < 3; ++K) {
    ASSERT_EQ(one.major_step(), Status::ok);
    ASSERT_EQ(other.major_step(), Status::ok);
  }

  EXPECT_LE(relative_difference(one.W(), other.W()), 1e-9);
  EXPECT_LE(relative_difference(one.Lambda(), other.Lambda()), 1e-9);
}

// ||gradient|| -> 0 (Proposition 3).
TEST_P(DecTest, ALongRunEndsAtAStationaryPoint) {
  Net tiny = random_net(20, 2, 2, GetParam(), 7);
  tiny.tau_w = tiny.tau_lambda = 0.1;
  DecompositionOptions options;
  options.unit.lbfgs.accuracy = 1e-12;
  options.theta = 0.5;
  Decomposition training = training_of(tiny, "dec", options);
  ASSERT_EQ(training.major_step(), Status::ok);
  const double first = training.gradient_norm();
  for (int K = 0; K < 3000 && training.gradient_norm() > 1e-7; ++K) ASSERT_EQ(training.major_step(), Status::ok);

  EXPECT_GT(first, 1e-3);
  EXPECT_LE(training.gradient_norm(), 1e-7);
  const arma::vec w = arma::vectorise(training.W());
  const arma::vec differences = central_differences(
      [&](const arma::vec& v) {
        return error_by_definition(tiny, arma::reshape(v, training.W().n_rows, training.W().n_cols), training.Lambda());
      },
      w);
  EXPECT_LE(arma::norm(differences), 1e-7);
}

TEST_P(DecTest, GradientNormIsThatOfBothGradients) {
  const Decomposition training = training_of(net, "dec");
  const arma::vec of_W = central_differences(
      [&](const arma::vec& w) {
        return error_by_definition(net, arma::reshape(w, net.W.n_rows, net.W.n_cols), net.Lambda);
      },
      arma::vectorise(net.W));
  const arma::vec of_Lambda = central_differences(
      [&](const arma::vec& l) {
        return error_by_definition(net, net.W, arma::reshape(l, net.Lambda.n_rows, net.Lambda.n_cols));
      },
      arma::vectorise(net.Lambda));

  EXPECT_NEAR(training.gradient_norm() / std::hypot(arma::norm(of_W), arma::norm(of_Lambda)), 1, 1e-7);
}

TEST(Decomposition, IdenticalTargetsHaveIdenticalOutputWeights) {
  Net net = random_net(80, 4, 5, 1, 7);
  net.Y = arma::repmat(net.Y, 1, 3);
  net.Lambda = arma::repmat(net.Lambda, 1, 3);
  for (const OutputSolver solver : {OutputSolver::cholesky, OutputSolver::qr, OutputSolver::cg}) {
    DecompositionOptions options;
    options.outputs = solver;
    Decomposition training = training_of(net, "dec", options);
    for (int K = 0; K < 3; ++K) ASSERT_EQ(training.major_step(), Status::ok);
    for (uword c = 1; c < 3; ++c) {
      EXPECT_LE(relative_difference(arma::mat(training.Lambda().col(c)), arma::mat(training.Lambda().col(0))), 1e-9);
    }
  }
}

TEST(Decomposition, TwoBlockMinimisesAllInputWeightsTogether) {
  const Net net = random_net(80, 4, 5, 2, 7);
  DecompositionOptions options;
  options.unit.lbfgs.iterations = 3;
  arma::vec x = arma::vectorise(net.W);
  Decomposition training = training_of(net, "two_block", options);
  ASSERT_EQ(training.major_step(), Status::ok);
  const arma::mat Lambda = training.Lambda();
  arma::mat unused(5, 2);
  minimise_lbfgs(
      [&](const double* w, double* gradient) {
        return error_and_gradient(net.problem(), {w, 5, 5, 5}, Lambda, {gradient, 5, 5, 5}, View<double>(unused));
      },
      x, options.unit.lbfgs);

  ASSERT_EQ(training.major_step(), Status::ok);

  EXPECT_TRUE(identical(training.W(), arma::mat(arma::reshape(x, 5, 5))));
}

TEST(Decomposition, ASchemeThatHasEndedStays) {
  const Net net = random_net(30, 2, 3, 1, 7);
  Decomposition training = training_of(net, "elm");
  ASSERT_EQ(training.major_step(), Status::ok);
  const arma::mat Lambda = training.Lambda();

  ASSERT_EQ(training.major_step(), Status::ok);
  ASSERT_EQ(training.block_step(), Status::ok);

  EXPECT_EQ(training.k(), 1u);
  EXPECT_TRUE(identical(training.Lambda(), Lambda));
  EXPECT_TRUE(identical(training.W(), net.W));
}

// A Gram matrix that is not positive definite by rounding: QR of [H; sqrt(tau) I] still has an answer.
TEST(Decomposition, WhereCholeskyFailsItIsQr) {
  Net net = random_net(40, 3, 4, 1, 7);
  net.W.col(3) = net.W.col(0);
  net.tau_lambda = 1e-24;
  DecompositionOptions qr;
  qr.outputs = OutputSolver::qr;
  arma::mat by_cholesky;
  const arma::mat H = hidden_by_definition(net.X, net.W);
  Decomposition training = training_of(net, "dec"), by_qr = training_of(net, "dec", qr);

  const Status status = training.major_step(), of_qr = by_qr.major_step();

  EXPECT_EQ(status, of_qr);
  if (solve_by_cholesky({H, net.Y, net.tau_lambda}, by_cholesky) != Status::ok) {
    EXPECT_TRUE(identical(training.Lambda(), by_qr.Lambda()));
  }
}

TEST(Decomposition, FailureLeavesTheStateAndTheCount) {
  Net net = random_net(40, 3, 4, 1, 7);
  net.Y(3) = arma::datum::nan;
  for (const OutputSolver solver : {OutputSolver::cholesky, OutputSolver::qr, OutputSolver::cg}) {
    DecompositionOptions options;
    options.outputs = solver;
    Decomposition training = training_of(net, "dec", options);

    EXPECT_NE(training.major_step(), Status::ok);

    EXPECT_EQ(training.k(), 0u);
    EXPECT_TRUE(identical(training.Lambda(), net.Lambda));
  }
}

TEST(Decomposition, RefusesWrongShapes) {
  const Net net = random_net(30, 2, 3, 1, 7);
  const auto made = [&](const arma::mat& W, const arma::mat& Lambda) {
    return thrown<std::logic_error>([&] { Decomposition(net.problem(), W, Lambda, scheme_from("dec", 3, 1), {}); });
  };

  EXPECT_EQ(made(net.W, net.Lambda), "");
  EXPECT_NE(made(net.W.head_rows(2), net.Lambda), "");
  EXPECT_NE(made(net.W, net.Lambda.head_rows(2)), "");
  EXPECT_NE(made(net.W, arma::mat(3, 2)), "");
}

}  // namespace
}  // namespace elmx
