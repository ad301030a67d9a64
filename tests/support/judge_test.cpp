#include "support/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "support/problem.hpp"

// Tests of the functions that judge solvers: they must accept exact solutions and reject nearly exact ones.

namespace elmx {
namespace {

struct Shape {
  arma::uword N, L, c;
  double cond, lambda;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.N << "x" << shape.L << "x" << shape.c << "_cond" << shape.cond << "_lambda" << shape.lambda;
}

/// Solves [H; sqrt(lambda) I] beta = [T; 0] by QR, independently of the solvers under test.
template <class Real>
arma::Mat<Real> solve_augmented(const Problem<Real>& problem, double lambda) {
  using Matrix = arma::Mat<Real>;
  const arma::uword L = problem.H.n_cols;
  const Matrix I(L, L, arma::fill::eye);
  const Matrix A = arma::join_cols(problem.H, static_cast<Real>(std::sqrt(lambda)) * I);
  const Matrix B = arma::join_cols(problem.T, Matrix(L, problem.T.n_cols, arma::fill::zeros));
  Matrix Q;
  Matrix R;
  arma::qr_econ(Q, R, A);
  return arma::solve(arma::trimatu(R), Q.t() * B, arma::solve_opts::fast);
}

class JudgeTest : public testing::TestWithParam<Shape> {};

TEST_P(JudgeTest, PassesTheQrSolution) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);

  const arma::mat beta = solve_augmented(problem, lambda);

  EXPECT_LE(ridge_backward_error(problem.H, problem.T, lambda, beta), tolerance(N, L));
}

TEST_P(JudgeTest, PassesTheQrSolutionInFloat) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem<float>(N, L, c, cond, 7);

  const arma::fmat beta = solve_augmented(problem, lambda);

  EXPECT_LE(ridge_backward_error(problem.H, problem.T, lambda, beta), tolerance<float>(N, L));
}

TEST_P(JudgeTest, RejectsOneWeightOffByAMillionth) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);
  arma::mat beta = solve_augmented(problem, lambda);

  beta(L / 2, c - 1) *= 1 + 1e-6;

  EXPECT_GT(ridge_backward_error(problem.H, problem.T, lambda, beta), 10 * tolerance(N, L));
}

TEST_P(JudgeTest, RejectsAForgottenLambda) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);

  const arma::mat beta = arma::pinv(problem.H) * problem.T;

  EXPECT_GT(ridge_backward_error(problem.H, problem.T, lambda, beta), 10 * tolerance(N, L));
}

TEST_P(JudgeTest, RejectsTheSquareRootOfLambda) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);

  const arma::mat beta = solve_augmented(problem, std::sqrt(lambda));

  EXPECT_GT(ridge_backward_error(problem.H, problem.T, lambda, beta), 10 * tolerance(N, L));
}

TEST_P(JudgeTest, RejectsAWrongSign) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);

  const arma::mat beta = -solve_augmented(problem, lambda);

  EXPECT_GT(ridge_backward_error(problem.H, problem.T, lambda, beta), 1e-3);
}

TEST_P(JudgeTest, RejectsNotANumber) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);
  arma::mat beta = solve_augmented(problem, lambda);

  beta(0, 0) = arma::datum::nan;

  EXPECT_FALSE(ridge_backward_error(problem.H, problem.T, lambda, beta) <= tolerance(N, L));
}

INSTANTIATE_TEST_SUITE_P(Shapes, JudgeTest,
                         testing::Values(Shape{40, 10, 1, 10, 1e-6}, Shape{40, 10, 3, 1e4, 1e-6},
                                         Shape{10, 40, 2, 10, 1e-3}, Shape{1, 1, 1, 1, 1e-2},
                                         Shape{30, 30, 2, 100, 1e-1}));

TEST(Judge, ByHand) {
  // H = 2, T = 3, lambda = 1, beta = 1:  |2 (2 - 3) + 1| / (2 (2 + 3) + 1) = 1 / 11
  const arma::mat H = {2.0};
  const arma::mat T = {3.0};
  const arma::mat beta = {1.0};

  EXPECT_DOUBLE_EQ(ridge_backward_error(H, T, 1.0, beta), 1.0 / 11.0);
}

TEST(Judge, ZeroTargetsHaveTheZeroSolution) {
  const arma::mat H = make_problem(5, 3, 1, 10, 7).H;
  const arma::mat zero(3, 1, arma::fill::zeros);

  EXPECT_EQ(ridge_backward_error(H, arma::mat(5, 1, arma::fill::zeros), 1e-6, zero), 0.0);
}

TEST(Judge, ToleranceByHand) {
  EXPECT_DOUBLE_EQ(tolerance(40, 10), 400 * 0x1p-52);
  EXPECT_DOUBLE_EQ(tolerance(10, 40), 400 * 0x1p-52);
  EXPECT_DOUBLE_EQ(tolerance<float>(1, 1), 10 * 0x1p-23);
}

TEST(Judge, RelativeDifferenceByHand) {
  const arma::mat A = {{3.0, 4.0}};
  const arma::mat B = {{3.0, 3.0}};
  const arma::mat zero(1, 2, arma::fill::zeros);

  EXPECT_DOUBLE_EQ(relative_difference(A, B), 1.0 / 5.0);
  EXPECT_DOUBLE_EQ(relative_difference(B, A), 1.0 / 5.0);
  EXPECT_EQ(relative_difference(A, A), 0.0);
  EXPECT_EQ(relative_difference(zero, zero), 0.0);
  EXPECT_DOUBLE_EQ(relative_difference(zero, A), 1.0);
}

TEST(Judge, RelativeDifferenceRejectsShapesAndNotANumber) {
  const arma::mat A = {{3.0, 4.0}};
  const arma::mat column = A.t();
  arma::mat broken = A;
  broken(0) = arma::datum::nan;

  EXPECT_FALSE(relative_difference(A, column) <= 1e300);
  EXPECT_FALSE(relative_difference(A, broken) <= 1e300);
  EXPECT_FALSE(relative_difference(broken, A) <= 1e300);
}

TEST(Problem, HasTheConditionAskedFor) {
  const arma::vec tall = arma::svd(make_problem(40, 10, 1, 1e4, 7).H);
  const arma::vec wide = arma::svd(make_problem(10, 40, 1, 1e4, 7).H);

  // Singular values have an error of 1 ulp of the largest: 1e4 eps of the smallest, in practice about 1e5.
  EXPECT_NEAR(tall(0), 1, 1e-14);
  EXPECT_NEAR(tall(9) * 1e4, 1, 1e-10);
  EXPECT_NEAR(tall(4) / tall(5), std::pow(1e4, 1.0 / 9), 1e-10);
  EXPECT_NEAR(wide(0) / wide(9) / 1e4, 1, 1e-10);
}

TEST(Problem, IsAFunctionOfItsArguments) {
  const auto one = make_problem(20, 5, 2, 10, 7);
  const auto same = make_problem(20, 5, 2, 10, 7);
  const auto other = make_problem(20, 5, 2, 10, 8);

  EXPECT_EQ(relative_difference(one.H, same.H), 0.0);
  EXPECT_EQ(relative_difference(one.T, same.T), 0.0);
  EXPECT_GT(relative_difference(one.H, other.H), 0.1);
  EXPECT_GT(relative_difference(one.T, other.T), 0.1);
}

TEST(Problem, HasTheShapesAskedFor) {
  const auto [H, T] = make_problem(20, 5, 2, 10, 7);

  EXPECT_EQ(H.n_rows, 20u);
  EXPECT_EQ(H.n_cols, 5u);
  EXPECT_EQ(T.n_rows, 20u);
  EXPECT_EQ(T.n_cols, 2u);
}

}  // namespace
}  // namespace elmx
