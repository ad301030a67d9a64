#include <gtest/gtest.h>

#include "features/broad_features.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

/// How far B is from minimising 1/2 ||A B - X||^2 + penalty ||B||_1: the distance of -A'(A B - X) from
/// penalty times the subgradient of the 1-norm, which is the sign where an entry is not 0 and [-1, 1] where
/// it is.
double distance_from_optimum(const arma::mat& A, const arma::mat& X, double penalty, const arma::mat& B) {
  const arma::mat gradient = A.t() * (A * B - X);
  double most = 0;
  for (arma::uword i = 0; i < B.n_elem; ++i) {
    const double off = B(i) == 0 ? std::max(std::abs(gradient(i)) - penalty, 0.0)
                                 : std::abs(gradient(i) + penalty * (B(i) > 0 ? 1 : -1));
    most = std::max(most, off);
  }
  return most;
}

arma::mat code(const arma::mat& A, const arma::mat& X, double penalty, arma::uword steps) {
  return sparse_code(A.t() * A, A.t() * X, penalty, steps);
}

// A: singular values 3 to 0.3, so that (A'A + I) and ADMM at rho = 1 contract at every step.
const arma::mat kA = 3 * make_problem(40, 6, 1, 10, 7).H;
const arma::mat kX = normal_matrix(40, 4, 7, 3);

TEST(SparseCode, ManyStepsReachTheOptimumOfTheLasso) {
  for (const double penalty : {0.0, 1e-3, 0.5, 2.0}) {
    const arma::mat B = code(kA, kX, penalty, 3000);

    EXPECT_LE(distance_from_optimum(kA, kX, penalty, B), 1e-9) << penalty;  // linear convergence, far past it
    EXPECT_GT(distance_from_optimum(kA, kX, penalty, B * (1 + 1e-6)), 1e-8) << "a wrong answer is seen";
  }
  const arma::uword zeros = arma::accu(code(kA, kX, 0.5, 3000) == 0);
  EXPECT_GT(zeros, 0u) << "exactly, not nearly, zero";
  EXPECT_LT(zeros, kA.n_cols * kX.n_cols);
}

TEST(SparseCode, WithoutAPenaltyItGoesToLeastSquares) {
  const arma::mat exact = arma::pinv(kA) * kX;

  EXPECT_LE(relative_difference(code(kA, kX, 0, 3000), exact), 1e-10);
  EXPECT_GT(relative_difference(code(kA, kX, 0, 1), exact), 1e-3);
}

TEST(SparseCode, IsZeroWhereThePenaltyExceedsEveryProduct) {
  const double most = arma::abs(kA.t() * kX).max();

  EXPECT_TRUE(code(kA, kX, 1.001 * most, 50).is_zero());
  EXPECT_FALSE(code(kA, kX, 0.999 * most, 3000).is_zero());
}

TEST(SparseCode, NoStepsAreZero) {
  const arma::mat B = code(kA, kX, 1e-3, 0);

  EXPECT_EQ(arma::size(B), arma::size(6, 4));
  EXPECT_TRUE(B.is_zero());
}

// G = diag(1, 3), C = (4, -2, ...): c = C / (G + 1), o = soft(c, 1/4), u = c - o = the part cut off.
TEST(SparseCode, OneAndTwoStepsByHand) {
  const arma::mat G{{1, 0}, {0, 3}}, C{{4, -0.25}, {-2, 8}};

  const arma::mat first = sparse_code(G, C, 0.25, 1), second = sparse_code(G, C, 0.25, 2);

  // c = [2 -0.125; -0.5 2]; soft: [1.75 0; -0.25 1.75]; u = [0.25 -0.125; -0.25 0.25].
  EXPECT_TRUE(arma::approx_equal(first, arma::mat{{1.75, 0}, {-0.25, 1.75}}, "absdiff", 1e-15));
  // c = (C + o - u) / (G + 1) = [5.5/2 -0.125/2; -2/4 9.5/4]; c + u = [3 -0.1875; -0.75 2.625]; soft.
  EXPECT_TRUE(arma::approx_equal(second, arma::mat{{2.75, 0}, {-0.5, 2.375}}, "absdiff", 1e-15));
}

TEST(SparseCode, ColumnsAreCodedOnTheirOwn) {
  const arma::mat all = code(kA, kX, 0.1, 50);
  for (arma::uword j = 0; j < kX.n_cols; ++j) {
    EXPECT_LE(relative_difference(arma::mat(all.col(j)), code(kA, arma::mat(kX.col(j)), 0.1, 50)), tolerance(40, 6));
  }
}

TEST(SparseCode, DependentFeaturesAreAllowed) {
  const arma::mat A = arma::join_rows(kA, kA, arma::zeros(40, 2));

  const arma::mat B = code(A, kX, 0.5, 3000);

  EXPECT_LE(distance_from_optimum(A, kX, 0.5, B), 1e-9);
}

}  // namespace
}  // namespace elmx
