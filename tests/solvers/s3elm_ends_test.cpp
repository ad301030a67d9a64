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

// The k largest rows, fitted again to the last Y.
TEST(S3elmKeep, FitsTheLargestRowsToY) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{0.01, 20, 0.5};
  const LabelSystem system = system_of(p, basis.Q, by);
  const auto fitted = [&](std::size_t iterations, uword keep) {
    S3elmFit fit;
    EXPECT_EQ(
        train_s3elm(system, basis.Bt, labelled_start(p),
                    {.lambda = by.lambda, .epsilon = 0, .iterations = iterations, .prune_below = 0, .keep = keep}, fit),
        Status::ok);
    return fit;
  };
  const S3elmFit before = fitted(6, 0), last = fitted(7, 0), kept = fitted(7, 3);

  const arma::uvec largest =
      arma::sort(arma::uvec(arma::sort_index(arma::sum(arma::square(last.W), 1), "descend")).head(3));
  const arma::mat Y = labels_by_definition(p, by, p.H * before.W);
  EXPECT_TRUE(identical(kept.active, largest));
  EXPECT_EQ(kept.iterations, 7u);
  EXPECT_LE(relative_difference(kept.W, arma::mat(arma::pinv(p.H.cols(largest)) * Y)), 1e-9);
  EXPECT_TRUE(identical(fitted(7, 8).W, last.W)) << "as many as there are";
  EXPECT_TRUE(identical(fitted(7, 9).W, last.W)) << "more than there are";
}

// By definition: G(W, Y) of the network that is returned, Y the labels that are best for it.
TEST(S3elmObjective, IsThatOfTheNetworkThatIsReturned) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{0.1, 20, 0.5};
  for (const S3elmOptions& options :
       {S3elmOptions{.lambda = by.lambda, .iterations = 1}, S3elmOptions{.lambda = by.lambda, .iterations = 7},
        S3elmOptions{.lambda = by.lambda, .iterations = 4, .prune_below = 0.05},
        S3elmOptions{.lambda = by.lambda, .iterations = 5, .keep = 3}}) {
    S3elmFit fit;
    ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, labelled_start(p), options, fit), Status::ok);
    const arma::mat H = p.H.cols(fit.active);
    const double objective = G(p, H, by, fit.W, labels_by_definition(p, by, H * fit.W));

    EXPECT_EQ(fit.objective.size(), fit.iterations + 1);
    EXPECT_NEAR(fit.objective.back(), objective, 1e-10 * objective) << options.iterations;
  }
}

TEST(S3elmKeep, OfTheConstrainedVariantFitsToo) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{0.01, 20, 0.5};
  S3elmFit fit;

  ASSERT_EQ(
      train_s3elm(constrained_of(p, basis.Q, by), basis.Bt, labelled_start(p), {.lambda = by.lambda, .keep = 3}, fit),
      Status::ok);

  // minimum of the objective without its penalty over the rows kept
  const arma::mat H = p.H.cols(fit.active), A = 10 * H.t() * p.L * H + 10 * H.t() * p.J() * H,
                  b = 10 * H.t() * p.targets();
  EXPECT_EQ(fit.active.n_elem, 3u);
  EXPECT_LE(relative_difference(fit.W, arma::mat(arma::solve(A, b))), 1e-8) << "condition number of A";
}

// Ends.

TEST(S3elmEnds, WhereTheWeightsHaveSettledOrTheIterationsRunOut) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const LabelSystem system = system_of(p, basis.Q, {0.1, 20, 0.5});
  const auto steps = [&](double epsilon, std::size_t most) {
    S3elmFit fit;
    EXPECT_EQ(
        train_s3elm(system, basis.Bt, labelled_start(p), {.lambda = 0.1, .epsilon = epsilon, .iterations = most}, fit),
        Status::ok);
    return fit.iterations;
  };
  std::vector<double> changes;
  JointSparse weights(basis.Bt, labelled_start(p), 0.1, WeightSolver::automatic);
  for (int t = 0; t < 12; ++t) {
    ASSERT_EQ(weights.step(system.project(weights.V())), Status::ok);
    weights.prune(1e-5);
    changes.push_back(weights.change());
  }
  ASSERT_TRUE(std::is_sorted(changes.rbegin(), changes.rend())) << "each is smaller than the one before";

  EXPECT_EQ(steps(changes[9] * (1 + 1e-9), 200), 10u);
  EXPECT_EQ(steps(changes[9] * (1 - 1e-6), 200), 11u);
  EXPECT_EQ(steps(0, 7), 7u);
  EXPECT_EQ(steps(arma::datum::inf, 200), 1u);
}

TEST(S3elmEnds, WithoutAThresholdNothingIsPruned) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  arma::mat W0 = labelled_start(p);
  W0.row(3).zeros();
  S3elmFit all, fewer;

  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, {0.1, 20, 0.5}), basis.Bt, W0, {.lambda = 0.1, .prune_below = 0}, all),
            Status::ok);
  ASSERT_EQ(
      train_s3elm(system_of(p, basis.Q, {0.1, 20, 0.5}), basis.Bt, W0, {.lambda = 0.1, .prune_below = 1e-12}, fewer),
      Status::ok);

  EXPECT_EQ(all.active.n_elem, 8u);
  EXPECT_EQ(arma::abs(all.W.row(3)).max(), 0);
  EXPECT_EQ(fewer.active.n_elem, 7u);
  EXPECT_FALSE(arma::any(fewer.active == 3));
}

// Failures. A positive semidefinite K of whatever size makes -<V, KV> concave, and the W step then descends:
// only a system that is none, or whose projection and minimum contradict each other, can rise. A large
// threshold takes nodes that matter: the objective rises by what they had, and that is no failure.
TEST(S3elmPruning, MayRaiseTheObjectiveByWhatItTakes) {
  double highest = 0;
  for (const std::uint32_t seed : {31, 32, 33, 34}) {
    const SemiSupervisedProblem p = random_problem(40, 8, 2, 15, 1, seed);
    const RangeBasis basis = basis_of(p.H);
    S3elmFit fit;

    EXPECT_EQ(train_s3elm(system_of(p, basis.Q, {1e-6, 20, 0.5}), basis.Bt, labelled_start(p),
                          {.lambda = 1e-6, .prune_below = 0.3}, fit),
              Status::ok);

    EXPECT_LT(fit.active.n_elem, 15);
    highest = std::max(highest, fit.rise);
  }
  EXPECT_GT(highest, 1e-6) << "none of them mattered";
}

// A quarter of the dimensions as nodes or fewer: the iterations go on in the space that these nodes span.
TEST(S3elmPruning, ConstrainedTrainingWithFewNodesIsItsDefinition) {
  const SemiSupervisedProblem p = random_problem(60, 20, 2, 40, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{20, 20, 0.5};
  const double a = by.tau * (1 - by.mu), b = by.tau * by.mu, threshold = 0.05;
  const arma::mat W0 = normal_matrix(40, 2, 23, 10);
  const arma::uword iterations = 12;
  arma::mat W = W0, H = p.H;
  arma::uvec active = arma::regspace<arma::uvec>(0, 39);
  arma::uword in_the_smaller_space = 0;
  std::vector<double> objective;
  const auto judge = [&] {
    objective.push_back(by.lambda * norm21(W) + a * arma::trace(W.t() * H.t() * p.L * H * W) +
                        b * arma::accu(arma::square(p.J() * (H * W - p.targets()))));
  };
  for (arma::uword t = 0; t < iterations; ++t) {
    judge();
    arma::vec u(W.n_rows);
    for (arma::uword i = 0; i < W.n_rows; ++i) u(i) = 1 / (2 * arma::norm(W.row(i)));
    W = arma::solve(a * H.t() * p.L * H + b * H.t() * p.J() * H + by.lambda * arma::diagmat(u),
                    b * H.t() * p.targets());
    const arma::uvec kept = arma::find(arma::sqrt(arma::sum(arma::square(W), 1)) >= threshold);
    active = arma::uvec(active(kept));
    W = arma::mat(W.rows(kept));
    H = p.H.cols(active);
    in_the_smaller_space += 4 * active.n_elem <= basis.Q.n_cols;
  }
  judge();
  S3elmFit fit;

  ASSERT_EQ(train_s3elm(constrained_of(p, basis.Q, by), basis.Bt, W0,
                        {.lambda = by.lambda, .epsilon = 0, .iterations = iterations, .prune_below = threshold}, fit),
            Status::ok);

  EXPECT_GT(in_the_smaller_space, 3u);
  ASSERT_TRUE(identical(fit.active, active)) << fit.active.t() << active.t();
  EXPECT_LE(relative_difference(fit.W, W), 1e-9);
  ASSERT_EQ(fit.objective.size(), objective.size());
  for (std::size_t t = 0; t < objective.size(); ++t) EXPECT_NEAR(fit.objective[t], objective[t], 1e-9 * objective[0]);
}

TEST(S3elmFailures, AWrongSystemDoesNotDecrease) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const LabelSystem right = system_of(p, basis.Q, {1e-3, 20, 0.5});
  LabelSystem negative = right, lopsided = right;
  negative.K *= -4;
  lopsided.K += 3 * (arma::trimatu(arma::mat(arma::size(right.K), arma::fill::ones)) -
                     arma::trimatl(arma::mat(arma::size(right.K), arma::fill::ones)));
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(right, basis.Bt, labelled_start(p), {.lambda = 1e-3}, fit), Status::ok);
  EXPECT_EQ(train_s3elm(negative, basis.Bt, labelled_start(p), {.lambda = 1e-3}, fit), Status::not_decreasing);
  EXPECT_GT(fit.rise, 1e-6);
  EXPECT_EQ(train_s3elm(lopsided, basis.Bt, labelled_start(p), {.lambda = 1e-3}, fit), Status::not_decreasing);
}

// Begun at the minimum, a projection that is slightly wrong leads away from it.
TEST(S3elmFailures, ASlightlyWrongProjectionDoesNotDecrease) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  LabelSystem system = system_of(p, basis.Q, {1e-3, 20, 0.5});
  S3elmFit right, wrong;
  ASSERT_EQ(train_s3elm(system, basis.Bt, labelled_start(p),
                        {.lambda = 1e-3, .epsilon = 1e-12, .iterations = 5000, .prune_below = 0}, right),
            Status::ok);
  const arma::mat ones(arma::size(system.K), arma::fill::ones);
  system.K += 0.02 * (arma::trimatu(ones) - arma::trimatl(ones));

  EXPECT_EQ(train_s3elm(system, basis.Bt, right.W, {.lambda = 1e-3}, wrong), Status::not_decreasing);
  EXPECT_GT(wrong.rise, 1e-6);
  EXPECT_LT(wrong.rise, 1e-2);
}

TEST(S3elmFailures, NumbersThatAreNoneAreSeen) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  LabelSystem system = system_of(p, basis.Q, {0.1, 20, 0.5});
  arma::mat W0 = labelled_start(p);
  S3elmFit fit;

  system.F(0, 0) = arma::datum::nan;
  EXPECT_EQ(train_s3elm(system, basis.Bt, W0, {.lambda = 0.1}, fit), Status::not_finite);
  W0(0, 0) = arma::datum::nan;
  EXPECT_NE(train_s3elm(system_of(p, basis.Q, {0.1, 20, 0.5}), basis.Bt, W0, {.lambda = 0.1}, fit), Status::ok);
}

TEST(S3elmFailures, ASystemThatIsNotPositiveDefiniteIsRefused) {
  LabelSystem system;
  for (const double wrong : {-1.0, arma::datum::nan}) {
    arma::mat form(5, 5, arma::fill::eye);
    form(4, 4) = wrong;

    EXPECT_EQ(label_system(form, arma::mat(2, 2, arma::fill::eye), 10, system), Status::not_positive_definite);
  }
}

TEST(S3elmFailures, AConstrainedSystemThatIsNotFiniteIsRefused) {
  ConstrainedSystem system;
  arma::mat QtLQ(4, 4, arma::fill::eye);
  QtLQ(0, 2) = arma::datum::nan;

  EXPECT_EQ(constrained_system(QtLQ, arma::mat(2, 4, arma::fill::ones), arma::mat(2, 2, arma::fill::eye), 1, 1, system),
            Status::not_finite);
}

// Rounding eats lambda: one direction of size 1e15 in six nodes.
TEST(S3elmFailures, StepsThatBreakDownAreSeen) {
  const arma::mat Bt = arma::repmat(normal_matrix(1, 4, 4, 1), 6, 1) * 1e15, W0 = normal_matrix(6, 2, 4, 2);
  LabelSystem system;
  ASSERT_EQ(label_system(arma::eye(6, 6), arma::mat(2, 2, arma::fill::eye), 10, system), Status::ok);
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(system, Bt, W0, {.lambda = 1e-10}, fit), Status::not_positive_definite);
}

TEST(S3elmFailures, WrongShapesAreRefused) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  LabelSystem system = system_of(p, basis.Q, {0.1, 20, 0.5});
  const ConstrainedSystem constrained = constrained_of(p, basis.Q, {0.1, 20, 0.5});
  const arma::mat W0 = labelled_start(p);
  S3elmFit fit;

  EXPECT_NE(
      thrown<std::logic_error>([&] { static_cast<void>(train_s3elm(system, basis.Bt.head_cols(7), W0, {}, fit)); }),
      "");
  EXPECT_NE(
      thrown<std::logic_error>([&] { static_cast<void>(train_s3elm(system, basis.Bt, W0.head_cols(1), {}, fit)); }),
      "");
  EXPECT_NE(thrown<std::logic_error>(
                [&] { static_cast<void>(train_s3elm(constrained, basis.Bt.head_cols(7), W0, {}, fit)); }),
            "");
  EXPECT_NE(thrown<std::logic_error>(
                [&] { static_cast<void>(train_s3elm(constrained, basis.Bt, W0.head_cols(1), {}, fit)); }),
            "");
  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(label_system(arma::eye(4, 5), p.labels, 1, system)); }),
            "");
  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(label_system(arma::eye(6, 6), p.labels, 1, system)); }),
            "");
}

}  // namespace
}  // namespace elmx
