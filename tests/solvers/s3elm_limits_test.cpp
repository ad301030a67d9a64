#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "solvers/sparse/s3elm.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/net.hpp"
#include "support/s3elm_systems.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

// Limits.

TEST(S3elmLimits, AtMuOneTheGraphIsGone) {
  const SemiSupervisedProblem p = random_problem(20, 5, 2, 8, 1, 23);
  const arma::mat HW = p.H * normal_matrix(8, 2, 23, 10);

  const arma::mat Y = system_of(p, {0.1, 30, 1}).project(HW);

  arma::mat exact = HW;
  exact.head_rows(5) = (HW.head_rows(5) + 30 * p.labels) / 31;
  EXPECT_LE(relative_difference(Y, exact), 31 * tolerance(20, 8));
}

TEST(S3elmLimits, AtMuZeroTheLabelsAreGone) {
  const SemiSupervisedProblem p = random_problem(20, 5, 2, 8, 1, 23);
  const arma::mat HW = p.H * normal_matrix(8, 2, 23, 10);
  const LabelSystem system = system_of(p, {0.1, 30, 0});

  EXPECT_LE(relative_difference(system.project(HW), arma::mat(arma::solve(eye_of(p) + 30 * p.L, HW))),
            1e3 * tolerance(20, 8))
      << "condition number of M";
  EXPECT_EQ(arma::abs(system.F).max(), 0);
  EXPECT_EQ(system.constant, 0);
}

// The smaller mu, the larger theta_max / theta_2: errors of order 1 / tau.
TEST(S3elmLimits, AtLargeTauLabelsArePropagated) {
  for (const double mu : {0.2, 0.8}) {
    const SemiSupervisedProblem p = random_problem(20, 6, 3, 8, 0.5, 23);
    const arma::mat HW = p.H * normal_matrix(8, 3, 23, 10);
    const arma::mat F = arma::solve((1 - mu) * p.L + mu * p.J(), mu * p.targets());

    const arma::mat far = system_of(p, {0.1, 1e4, mu}).project(HW), farther = system_of(p, {0.1, 1e6, mu}).project(HW);

    EXPECT_LE(relative_difference(far, F), 1e-2);
    EXPECT_LE(relative_difference(farther, F), 1e-4);
    EXPECT_GE(farther.min(), -1e-4);
    EXPECT_LE(farther.max(), 1 + 1e-4);
    EXPECT_LE(arma::abs(arma::sum(farther, 1) - 1).max(), 1e-4);
  }
}

TEST(S3elmLimits, AtSmallLambdaWeightsAreLeastSquares) {
  const SemiSupervisedProblem p = random_problem(40, 6, 2, 5, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{1e-10, 10, 0.5};
  const arma::mat W0 = normal_matrix(5, 2, 23, 10), Y = labels_by_definition(p, by, p.H * W0);
  S3elmFit fit;

  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, W0, {.lambda = by.lambda, .iterations = 1}, fit),
            Status::ok);

  EXPECT_LE(ridge_backward_error(p.H, Y, 0, fit.W), by.lambda);
}

TEST(S3elmLimits, AtLargeLambdaAllNodesGo) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(system_of(p, basis.Q, {1e4, 20, 0.5}), basis.Bt, labelled_start(p), {.lambda = 1e4}, fit),
            Status::all_pruned);
  EXPECT_EQ(train_s3elm(constrained_of(p, basis.Q, {1e4, 20, 0.5}), basis.Bt, labelled_start(p), {.lambda = 1e4}, fit),
            Status::all_pruned);
}

// tau = 0: nothing but the penalty is left of the constrained variant.
TEST(S3elmLimits, WithoutLabelsAndGraphAllNodesGo) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(constrained_of(p, basis.Q, {0.1, 0, 0.5}), basis.Bt, labelled_start(p), {.lambda = 0.1}, fit),
            Status::all_pruned);
}

// Symmetries.

struct Trained {
  arma::mat W;
  arma::uvec active;
};

Trained trained(const SemiSupervisedProblem& p) {
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{1, 20, 0.5};
  S3elmFit fit;
  EXPECT_EQ(
      train_s3elm(system_of(p, basis.Q, by), basis.Bt, labelled_start(p), {.lambda = by.lambda, .iterations = 60}, fit),
      Status::ok);
  return {fit.W, fit.active};
}

TEST(S3elmSymmetry, OtherNumbersOfTheClassesPermuteTheColumns) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  const arma::uvec order{2, 0, 1};
  SemiSupervisedProblem other = p;
  other.labels = arma::mat(p.labels.cols(order));

  const Trained one = trained(p), two = trained(other);

  EXPECT_TRUE(identical(one.active, two.active));
  EXPECT_LT(one.active.n_elem, 8u) << "some were pruned";
  EXPECT_LE(relative_difference(two.W, arma::mat(one.W.cols(order))), 1e-9) << "60 steps of condition number 1e4";
}

TEST(S3elmSymmetry, AnotherOrderOfTheUnlabelledPermutesY) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  arma::uvec order = arma::regspace<arma::uvec>(0, 29);
  order.tail(24) = arma::reverse(order.tail(24));
  const SemiSupervisedProblem other{p.H.rows(order), p.L.submat(order, order), p.labels};

  const Trained one = trained(p), two = trained(other);
  const arma::mat HW = p.H * normal_matrix(8, 3, 23, 10);

  EXPECT_TRUE(identical(one.active, two.active));
  EXPECT_LE(relative_difference(two.W, one.W), 1e-9);
  EXPECT_LE(relative_difference(system_of(other, {0.3, 20, 0.5}).project(HW.rows(order)),
                                arma::mat(system_of(p, {0.3, 20, 0.5}).project(HW).rows(order))),
            1e-10);
}

}  // namespace
}  // namespace elmx
