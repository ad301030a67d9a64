#include "models/diagnostics.hpp"

#include <gtest/gtest.h>

#include "support/judge.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

template <class T>
double judged(const Problem<T>& problem, double lambda, const arma::Mat<T>& W) {
  return ridge_fits<T>(StoredMatrix<T>(View<const T>(problem.H)), View<const T>(problem.T), {W}, {lambda})
      .front()
      .backward_error;
}

TEST(Diagnostics, PassesTheSolutionAndRejectsOneWeightOffByAMillionth) {
  for (const auto& [N, L, c] : std::vector<std::array<uword, 3>>{{60, 20, 3}, {20, 60, 1}, {1, 1, 1}, {5000, 8, 2}}) {
    const auto problem = make_problem(N, L, c, 100, 7);
    arma::mat W = solve_by_svd(problem.H, problem.T, 0.1).weights;
    ASSERT_LE(judged(problem, 0.1, W), tolerance(N, L));

    W(L / 2, c - 1) *= 1 + 1e-6;

    EXPECT_GT(judged(problem, 0.1, W), 10 * tolerance(N, L)) << N << " x " << L;
  }
}

TEST(Diagnostics, RejectsAWrongLambdaAndAWrongSign) {
  const auto problem = make_problem(60, 20, 2, 10, 7);

  EXPECT_GT(judged(problem, 0.1, solve_by_svd(problem.H, problem.T, 0).weights), 1e-3);
  EXPECT_GT(judged(problem, 0.1, solve_by_svd(problem.H, problem.T, std::sqrt(0.1)).weights), 1e-3);
  EXPECT_GT(judged(problem, 0.1, arma::mat(-solve_by_svd(problem.H, problem.T, 0.1).weights)), 1e-3);
}

TEST(Diagnostics, AgreesWithTheJudgeOfTheTests) {
  const auto problem = make_problem(60, 20, 2, 10, 7);
  const arma::mat W = normal_matrix(20, 2, 7, 9);

  EXPECT_NEAR(judged(problem, 0.1, W) / ridge_backward_error(problem.H, problem.T, 0.1, W), 1, 1e-13);
}

TEST(Diagnostics, JudgesFloatInDouble) {
  const auto problem = make_problem<float>(60, 20, 2, 10, 7);
  const Problem<double> wide{arma::conv_to<arma::mat>::from(problem.H), arma::conv_to<arma::mat>::from(problem.T)};
  const arma::mat exact = solve_by_svd(wide.H, wide.T, 0.1).weights;

  const double error = judged(problem, 0.1, arma::conv_to<arma::fmat>::from(exact));

  EXPECT_LE(error, tolerance<float>(60, 20));
}

TEST(Diagnostics, WhatIsNotFiniteIsNeverSmall) {
  const auto problem = make_problem(60, 20, 2, 10, 7);
  for (const double wrong : {arma::datum::nan, arma::datum::inf}) {
    arma::mat W = solve_by_svd(problem.H, problem.T, 0.1).weights;
    W(3, 1) = wrong;

    EXPECT_FALSE(judged(problem, 0.1, W) <= 1e300);
  }
}

TEST(Diagnostics, ZeroTargetsHaveTheZeroSolution) {
  const Problem<double> problem{make_problem(6, 2, 1, 10, 7).H, arma::zeros(6, 1)};

  EXPECT_EQ(judged(problem, 0.1, arma::mat(2, 1, arma::fill::zeros)), 0);
}

TEST(Diagnostics, BothReferencesAreTheSolution) {
  const auto problem = make_problem(90, 30, 2, 1e3, 7);
  const StoredMatrix<double> A{View<const double>(problem.H)};
  for (const uword nodes : {uword(1), uword(17), uword(30)}) {
    const arma::mat H = problem.H.head_cols(nodes);
    const RidgeSolution exact = solve_by_svd(H, problem.T, 1e-4);
    Reference qr, cholesky;

    ASSERT_EQ(solve_reference<double>("qr", A, View<const double>(problem.T), 1e-4, nodes, qr), Status::ok);
    ASSERT_EQ(solve_reference<double>("cholesky", A, View<const double>(problem.T), 1e-4, nodes, cholesky), Status::ok);

    EXPECT_LE(relative_difference(qr.weights, exact.weights),
              forward_bound(H, problem.T, 1e-4, exact, tolerance(90, nodes)));
    EXPECT_LE(relative_difference(cholesky.weights, exact.weights),
              forward_bound(H, problem.T, 1e-4, exact, tolerance(90, nodes)));
    // 1-norm against 2-norm: within a factor of the number of nodes; the estimate within 10.
    const double n = static_cast<double>(nodes);
    for (const double condition : {qr.condition, cholesky.condition}) {
      EXPECT_GE(condition, exact.condition / n / 10);
      EXPECT_LE(condition, exact.condition * n * 1.1);
    }
    EXPECT_NEAR(qr.condition / cholesky.condition, 1, 0.1);
  }
}

TEST(Diagnostics, ReferenceOfFloatFeaturesIsInDouble) {
  const auto problem = make_problem<float>(90, 30, 2, 100, 7);
  const arma::mat H = arma::conv_to<arma::mat>::from(problem.H), T = arma::conv_to<arma::mat>::from(problem.T);
  for (const auto* kind : {"qr", "cholesky"}) {
    Reference reference;

    ASSERT_EQ(
        solve_reference<float>(kind, StoredMatrix<float>(problem.H), View<const float>(problem.T), 0.1, 30, reference),
        Status::ok);

    EXPECT_LE(ridge_backward_error(H, T, 0.1, reference.weights), tolerance(90, 30)) << kind;
  }
}

TEST(Diagnostics, ThereIsNoReferenceOfASingularProblem) {
  arma::mat H(20, 3, arma::fill::ones);
  const arma::mat T(20, 1, arma::fill::ones);
  for (const auto* kind : {"qr", "cholesky"}) {
    Reference reference;

    EXPECT_NE(solve_reference<double>(kind, StoredMatrix<double>(H), View<const double>(T), 0, 3, reference),
              Status::ok)
        << kind;
  }
}

}  // namespace
}  // namespace elmx
