#include <gtest/gtest.h>

#include "linalg/decompositions.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class SymmetricEigen : public testing::TestWithParam<uword> {};

INSTANTIATE_TEST_SUITE_P(Sizes, SymmetricEigen, testing::Values(1, 2, 5, 40, 97));

// V orthonormal, A V = V diag(theta), theta ascending: these define it. Below the diagonal stands what it
// must not read.
TEST_P(SymmetricEigen, IsTheDecompositionOfTheUpperTriangle) {
  const uword n = GetParam();
  const arma::mat A = arma::symmatu(normal_matrix(n, n, 5, 1));
  arma::mat V = arma::trimatu(A) + 100 * below_diagonal(normal_matrix(n, n, 5, 2));
  arma::vec theta;

  ASSERT_EQ(symmetric_eigen(V, theta), Status::ok);

  EXPECT_LE(frobenius(V.t() * V - arma::eye(n, n)), tolerance(n, n));
  EXPECT_LE(frobenius(A * V - V * arma::diagmat(theta)) / frobenius(A), tolerance(n, n));
  EXPECT_TRUE(theta.is_sorted());
}

TEST(SymmetricEigen, FindsRepeatedAndNegativeValues) {
  const arma::vec exact{-3, -3, 0, 0, 0, 2, 7};
  const arma::mat U = orthonormal_matrix(7, 7, 5, 1);
  arma::mat V = U * arma::diagmat(exact) * U.t();
  arma::vec theta;

  ASSERT_EQ(symmetric_eigen(V, theta), Status::ok);

  EXPECT_LE(arma::abs(theta - exact).max(), 7 * tolerance(7, 7)) << "the largest is 7";
}

TEST(SymmetricEigen, RefusesWhatIsNotANumberAndLeavesItAsItWas) {
  for (const double wrong : {arma::datum::nan, arma::datum::inf}) {
    arma::mat A = arma::symmatu(normal_matrix(4, 4, 5, 1));
    A(1, 2) = wrong;
    const arma::mat before = A;
    arma::vec theta;

    EXPECT_EQ(symmetric_eigen(A, theta), Status::not_finite);
    EXPECT_TRUE(identical(A, before));
  }
}

TEST(SymmetricEigen, RefusesWrongShapes) {
  arma::vec theta;
  arma::mat wide(3, 4), nothing;

  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(symmetric_eigen(wide, theta)); }), "");
  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(symmetric_eigen(nothing, theta)); }), "");
}

}  // namespace
}  // namespace elmx
