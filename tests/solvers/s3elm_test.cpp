#include "solvers/sparse/s3elm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/net.hpp"
#include "support/s3elm_systems.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

// Random problems.

struct S3elmCase {
  uword N, n, C, L;
  double sigma;
  Weighting by;
};

void PrintTo(const S3elmCase& one, std::ostream* out) {
  *out << one.N << "_" << one.n << "_" << one.C << "_" << one.L << "_lambda" << one.by.lambda << "_tau" << one.by.tau
       << "_mu" << one.by.mu;
}

class S3elm : public testing::TestWithParam<S3elmCase> {
 protected:
  S3elm()
      : p(random_problem(GetParam().N, GetParam().n, GetParam().C, GetParam().L, GetParam().sigma, 23)),
        by(GetParam().by),
        basis(basis_of(p.H)) {}

  arma::mat some_weights(std::uint32_t which = 0) const { return normal_matrix(p.H.n_cols, p.C(), 23, 10 + which); }
  /// cond(M) <= 1 + tau (1 - mu) theta_max + tau mu
  double condition() const { return 1 + by.tau * (1 - by.mu) * arma::norm(p.L, 2) + by.tau * by.mu; }
  double allowed() const { return tolerance(p.N(), p.H.n_cols) * condition(); }

  SemiSupervisedProblem p;
  Weighting by;
  RangeBasis basis;
};

// More samples than nodes, fewer, one label, all labelled, mu at its ends, a graph in parts.
INSTANTIATE_TEST_SUITE_P(
    Random, S3elm,
    testing::Values(S3elmCase{30, 6, 3, 8, 1, {0.1, 20, 0.5}}, S3elmCase{12, 4, 2, 40, 1, {0.01, 200, 0.3}},
                    S3elmCase{40, 1, 2, 10, 0.1, {0.5, 5, 0.9}}, S3elmCase{15, 15, 2, 6, 2, {0.1, 50, 0.5}},
                    S3elmCase{25, 6, 2, 9, 1, {0.05, 10, 1}}, S3elmCase{25, 6, 2, 9, 1, {0.05, 10, 0}},
                    S3elmCase{25, 6, 2, 9, 1, {0.05, 2, 0.5}}, S3elmCase{30, 8, 4, 12, 500, {1, 100, 0.2}},
                    S3elmCase{20, 3, 1, 5, 1, {0.1, 1, 0.5}}));

// 2 (Y - HW) + 2 tau (1 - mu) L Y + 2 tau mu J (Y - Y~) = 0
TEST_P(S3elm, YStepIsStationary) {
  const arma::mat HW = p.H * some_weights();

  const arma::mat Y = system_of(p, by).project(HW);

  const arma::mat gradient =
      2 * (Y - HW) + 2 * by.tau * (1 - by.mu) * p.L * Y + 2 * by.tau * by.mu * p.J() * (Y - p.targets());
  EXPECT_LE(frobenius(gradient), allowed() * (frobenius(HW) + by.tau * by.mu * frobenius(p.labels)));
}

TEST_P(S3elm, YStepIsTheMinimumByFiniteDifferences) {
  const arma::mat W = some_weights(), Y = system_of(p, by).project(p.H * W);
  const auto in_Y = [&](const arma::vec& y) {
    return static_cast<long double>(G(p, p.H, by, W, arma::reshape(y, p.N(), p.C())));
  };

  // differences of numbers of size G over 2e-5
  EXPECT_LE(arma::abs(central_differences(in_Y, arma::vectorise(Y))).max(),
            tolerance(p.N(), 1) * G(p, p.H, by, W, Y) / 1e-5);
  EXPECT_GT(arma::abs(central_differences(in_Y, arma::vectorise(Y) + 1e-2)).max(), 1e-3);
}

TEST_P(S3elm, MinimumIsTheObjectiveOfTheYStep) {
  for (const bool whole : {true, false}) {
    const arma::mat Q = whole ? eye_of(p) : basis.Q, W = some_weights();
    const LabelSystem system = system_of(p, Q, by);
    const arma::mat V = Q.t() * p.H * W, Y = labels_by_definition(p, by, p.H * W), Z = system.project(V);
    const double exact = G(p, p.H, by, W, Y) - by.lambda * norm21(W);

    EXPECT_LE(frobenius(Z - Q.t() * Y), allowed() * (frobenius(V) + frobenius(p.labels)));
    EXPECT_NEAR(system.minimum(V, Z), exact,
                allowed() * (arma::dot(V, V) + by.tau * by.mu * arma::dot(p.labels, p.labels)));
    EXPECT_TRUE(identical(system.K, arma::mat(system.K.t())));
  }
}

// d/dW of the minimum over Y is 2 H'(HW - Y) (the derivative of Y does not matter), and lambda w_i / ||w_i||
// of the norms.
TEST_P(S3elm, GradientInTheWeightsByFiniteDifferences) {
  const LabelSystem system = system_of(p, basis.Q, by);
  const arma::mat W = some_weights(), Y = labels_by_definition(p, by, p.H * W);
  const auto in_W = [&](const arma::vec& w) {
    const arma::mat V = basis.Bt.t() * arma::reshape(w, W.n_rows, W.n_cols);
    return static_cast<long double>(system.minimum(V, system.project(V)) +
                                    by.lambda * norm21(arma::reshape(w, W.n_rows, W.n_cols)));
  };

  const arma::vec exact = arma::vectorise(2 * p.H.t() * (p.H * W - Y) + by.lambda * weighted_rows(W));
  // rounding of the terms over 1e-5; the third derivative of the norms is at most lambda / ||w||^2
  const double rounding = allowed() * (arma::accu(arma::square(p.H * W)) + by.tau * by.mu) / 1e-5;
  EXPECT_LE(arma::abs(central_differences(in_W, arma::vectorise(W)) - exact).max(), rounding + 1e-7);
  EXPECT_LT(rounding, 0.01 * arma::abs(exact).max()) << "the bound is below what it bounds";
}

/// Y steps by definition, W steps of JointSparse; what G is after each.
TEST_P(S3elm, NeitherStepIncreasesTheObjective) {
  const LabelSystem system = system_of(p, basis.Q, by);
  JointSparse weights(basis.Bt, labelled_start(p), by.lambda, WeightSolver::automatic);
  double before = arma::datum::inf;
  for (int t = 0; t < 40 && !weights.active().is_empty(); ++t) {
    arma::mat H = p.H.cols(weights.active());
    const arma::mat Y = labels_by_definition(p, by, H * weights.W());
    const double after_Y = G(p, H, by, weights.W(), Y);
    ASSERT_EQ(weights.step(system.project(weights.V())), Status::ok);
    const double after_W = G(p, H, by, weights.W(), Y);
    weights.prune(1e-5);
    H = arma::mat(p.H.cols(weights.active()));
    const double pruned = G(p, H, by, weights.W(), Y);

    EXPECT_LE(after_Y, before * (1 + 1e-10)) << t;
    EXPECT_LE(after_W, after_Y * (1 + 1e-10)) << t;
    EXPECT_LE(pruned, after_W * (1 + 1e-6)) << t;
    before = pruned;
  }
}

TEST_P(S3elm, TrainingIsTheIterationByDefinition) {
  const arma::mat W0 = labelled_start(p);
  arma::mat W = W0;
  for (int t = 0; t < 3; ++t) {
    const arma::mat Y = labels_by_definition(p, by, p.H * W);
    arma::vec u(W.n_rows);
    for (uword i = 0; i < W.n_rows; ++i) u(i) = 1 / (2 * arma::norm(W.row(i)));
    W = arma::solve(p.H.t() * p.H + by.lambda * arma::diagmat(u), p.H.t() * Y);
  }
  S3elmFit fit;

  const S3elmOptions options{.lambda = by.lambda, .epsilon = 0, .iterations = 3, .prune_below = 0};
  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, W0, options, fit), Status::ok);

  EXPECT_LE(relative_difference(fit.W, W), 1e-7) << "(27) has a condition number of up to 1e8";
  EXPECT_EQ(fit.iterations, 3u);
  EXPECT_EQ(fit.objective.size(), 4u);
  EXPECT_LE(fit.rise, 1e-10);
}

// 2 h_i'(HW - Y) + lambda w_i / ||w_i|| = 0 at the end, Y of the weights at the end.
TEST_P(S3elm, ActiveRowsAreStationaryAtConvergence) {
  if (by.mu == 0) GTEST_SKIP() << "the minimum is 0";
  S3elmFit fit;
  const S3elmOptions options{.lambda = by.lambda, .epsilon = 1e-22, .iterations = 100000, .prune_below = 1e-4};

  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, labelled_start(p), options, fit), Status::ok);

  EXPECT_LT(fit.iterations, options.iterations);
  const arma::mat H = p.H.cols(fit.active), Y = labels_by_definition(p, by, H * fit.W);
  const arma::mat gradient = 2 * H.t() * (H * fit.W - Y) + by.lambda * weighted_rows(fit.W);
  EXPECT_LE(arma::abs(gradient).max(), 1e-5 * by.lambda);
}

// The variant (29), by its own definition.
TEST_P(S3elm, ConstrainedTrainingIsItsIterationByDefinition) {
  const double a = by.tau * (1 - by.mu), b = by.tau * by.mu;
  if (by.mu == 0) GTEST_SKIP() << "one step leads to 0";
  const arma::mat W0 = some_weights(), T = a * p.H.t() * p.L * p.H + b * p.H.t() * p.J() * p.H;
  arma::mat W = W0;
  std::vector<double> objective;
  for (int t = 0; t < 3; ++t) {
    objective.push_back(by.lambda * norm21(W) + a * arma::trace(W.t() * p.H.t() * p.L * p.H * W) +
                        b * arma::accu(arma::square(p.J() * (p.H * W - p.targets()))));
    arma::vec u(W.n_rows);
    for (uword i = 0; i < W.n_rows; ++i) u(i) = 1 / (2 * arma::norm(W.row(i)));
    W = arma::solve(T + by.lambda * arma::diagmat(u), b * p.H.t() * p.targets());
  }
  S3elmFit fit;

  const S3elmOptions options{.lambda = by.lambda, .epsilon = 0, .iterations = 3, .prune_below = 0};
  ASSERT_EQ(train_s3elm(constrained_of(p, basis.Q, by), basis.Bt, W0, options, fit), Status::ok);

  EXPECT_LE(relative_difference(fit.W, W), 1e-7) << "as above";
  objective.push_back(by.lambda * norm21(W) + a * arma::trace(W.t() * p.H.t() * p.L * p.H * W) +
                      b * arma::accu(arma::square(p.J() * (p.H * W - p.targets()))));
  ASSERT_EQ(fit.objective.size(), 4u);
  for (std::size_t t = 0; t <= 3; ++t) EXPECT_NEAR(fit.objective[t], objective[t], 1e-9 * (1 + objective[0])) << t;
}

}  // namespace
}  // namespace elmx
