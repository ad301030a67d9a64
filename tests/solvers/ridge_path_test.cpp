#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "solvers/ridge/ridge_spectrum.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/memory.hpp"
#include "support/problem.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

arma::mat solved(auto&& path, double lambda) {
  arma::mat W;
  EXPECT_EQ(path.solve(lambda, W), Status::ok) << lambda;
  return W;
}

struct Shape {
  uword n, L, c;
  double cond;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.n << "x" << shape.L << "x" << shape.c << " cond " << shape.cond;
}

class RidgePathTest : public testing::TestWithParam<Shape> {
 protected:
  const Problem<double> problem = make_problem(GetParam().n, GetParam().L, GetParam().c, GetParam().cond, 19);
};

INSTANTIATE_TEST_SUITE_P(Each, RidgePathTest,
                         testing::Values(Shape{1, 1, 1, 1}, Shape{1, 9, 2, 1}, Shape{9, 1, 2, 1}, Shape{40, 10, 3, 10},
                                         Shape{10, 40, 3, 10}, Shape{25, 25, 1, 100}, Shape{26, 25, 2, 1e4},
                                         Shape{25, 26, 2, 1e4}, Shape{8, 300, 2, 1e6}, Shape{300, 8, 2, 1e6}));

TEST_P(RidgePathTest, SolutionsAreStationary) {
  const auto& [H, T] = problem;
  RidgePath path(H, T);
  for (const double lambda : {1e-3, 1e-6, 0.1, 10.0, 1e6}) {
    const arma::mat W = solved(path, lambda);

    ASSERT_EQ(arma::size(W), arma::size(H.n_cols, T.n_cols));
    EXPECT_LE(ridge_backward_error(H, T, lambda, W), tolerance(H.n_rows, H.n_cols)) << lambda;
    EXPECT_GT(ridge_backward_error(H, T, lambda, arma::mat(W * (1 + 1e-6))), tolerance(H.n_rows, H.n_cols))
        << "the judge itself";
  }
}

// ||H|| = 1: what is factorised has a condition number of at most 1 + 1 / lambda.
TEST_P(RidgePathTest, SolutionsAreThoseOfTheSingularValues) {
  const auto& [H, T] = problem;
  RidgePath path(H, T);
  for (const double lambda : {1e-3, 0.1, 10.0}) {
    const RidgeSolution exact = solve_by_svd(H, T, lambda);

    EXPECT_LE(relative_difference(solved(path, lambda), exact.weights),
              tolerance(H.n_rows, H.n_cols) * (1 + 1 / lambda))
        << lambda;
  }
}

// (9) = (10): the same problem by the other formula, which rows of zeros, or nodes of zeros, make the one
// that is taken.
TEST_P(RidgePathTest, PrimalIsDual) {
  const auto& [H, T] = problem;
  const uword more = H.n_rows < H.n_cols ? H.n_cols - H.n_rows : 0,
              nodes = H.n_rows >= H.n_cols ? H.n_rows - H.n_cols + 1 : 0;
  const arma::mat longer = arma::join_cols(H, arma::mat(more, H.n_cols, arma::fill::zeros));
  const arma::mat wider = arma::join_rows(longer, arma::mat(longer.n_rows, nodes, arma::fill::zeros));
  const arma::mat targets = arma::join_cols(T, arma::mat(more, T.n_cols, arma::fill::zeros));
  for (const double lambda : {1e-3, 0.1, 10.0}) {
    const arma::mat one = solved(RidgePath(H, T), lambda), other = solved(RidgePath(wider, targets), lambda);

    EXPECT_LE(relative_difference(one, arma::mat(other.head_rows(H.n_cols))),
              tolerance(H.n_rows, H.n_cols) * (1 + 1 / lambda))
        << lambda;
    if (nodes > 0) {
      EXPECT_EQ(arma::abs(other.tail_rows(nodes)).max(), 0);
    }
  }
}

TEST_P(RidgePathTest, ALambdaDoesNotSeeThoseBefore) {
  RidgePath path(problem.H, problem.T);
  const arma::mat first = solved(path, 0.1);
  solved(path, 1e3);

  EXPECT_TRUE(identical(solved(path, 0.1), first));
  EXPECT_TRUE(identical(solved(RidgePath(problem.H, problem.T), 0.1), first));
}

TEST(RidgePath, ByHand) {
  const arma::mat column = arma::vec{1, 2}, row = column.t();

  // H'(H H' + 3)^-1 2 = [1 2]' 2 / 8
  EXPECT_LE(relative_difference(solved(RidgePath(row, arma::mat{2.0}), 3), arma::mat(column / 4)), tolerance(1, 2));
  // (1 + 4) / (5 + 5)
  EXPECT_LE(relative_difference(solved(RidgePath(column, column), 5), arma::mat{0.5}), tolerance(2, 1));
}

TEST(RidgePath, OfASingularMatrixIsSolvedWhereThereIsAPenaltyAndRefusedWithout) {
  for (const arma::mat& H : {arma::mat(5, 3, arma::fill::ones), arma::mat(3, 5, arma::fill::ones)}) {
    const arma::mat T = normal_matrix(H.n_rows, 2, 19, 2);
    RidgePath path(H, T);
    arma::mat W(7, 7, arma::fill::ones);
    const arma::mat before = W;

    EXPECT_EQ(path.solve(-16, W), Status::not_positive_definite);
    EXPECT_TRUE(identical(W, before));
    EXPECT_EQ(path.solve(arma::datum::inf, W), Status::not_positive_definite);
    EXPECT_EQ(path.solve(arma::datum::nan, W), Status::not_positive_definite);
    EXPECT_LE(ridge_backward_error(H, T, 0.1, solved(path, 0.1)), 10 * tolerance(5, 5));
  }
}

TEST(RidgePath, RefusesWhatIsNotFiniteAndOtherShapes) {
  arma::mat H = normal_matrix(6, 4, 19, 1), T = normal_matrix(6, 2, 19, 2), W;
  H(3, 2) = arma::datum::nan;
  EXPECT_NE(RidgePath(H, T).solve(0.1, W), Status::ok);
  EXPECT_NE(RidgePath(arma::mat(H.t()), normal_matrix(4, 2, 19, 2)).solve(0.1, W), Status::ok);
  H(3, 2) = 0;
  T(1, 1) = arma::datum::inf;
  EXPECT_EQ(RidgePath(H, T).solve(0.1, W), Status::not_finite);
  EXPECT_THROW(RidgePath(H, normal_matrix(5, 2, 19, 2)), std::logic_error);
}

TEST(RidgePath, ManyLambdasTakeTheMemoryOfOne) {
  if (!can_measure_memory()) GTEST_SKIP() << "the sanitizers have memory of their own";
  const uword m = 600;
  RidgePath path(normal_matrix(m, m, 23, 1), normal_matrix(m, 2, 23, 2));
  std::vector<arma::mat> W(40);  // they are kept among the blocks that are freed
  std::vector<std::unique_ptr<std::string>> others;
  for (std::size_t i = 0; i < 2; ++i) ASSERT_EQ(path.solve(1, W[i]), Status::ok);
  forget_peak_memory();
  const double before = peak_memory();

  for (std::size_t i = 2; i < W.size(); ++i) {
    ASSERT_EQ(path.solve(static_cast<double>(i), W[i]), Status::ok);
    others.push_back(std::make_unique<std::string>(5000, 'a'));
  }

  EXPECT_LT(peak_memory() - before, 3 * sizeof(double) * m * m);
}

TEST(RidgePath, DoesNotDependOnTheNumberOfThreads) {
  for (const auto& [n, L] : std::vector<std::pair<uword, uword>>{{700, 300}, {300, 700}}) {
    const auto problem = make_problem(n, L, 3, 100, 19);
    const auto on = [&](int count) {
      const Threads scope(count);
      return solved(RidgePath(problem.H, problem.T), 0.01);
    };

    EXPECT_TRUE(identical(on(1), on(2)));
  }
}

}  // namespace
}  // namespace elmx
