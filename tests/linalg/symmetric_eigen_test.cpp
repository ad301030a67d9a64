#include "linalg/symmetric_eigen.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

using Decompose = Status (*)(arma::mat&, arma::vec&);

/// LAPACK's on one thread, and that of all threads.
const std::vector<Decompose> kBoth{symmetric_eigen, threaded_symmetric_eigen};

class SymmetricEigen : public testing::TestWithParam<uword> {};

INSTANTIATE_TEST_SUITE_P(Sizes, SymmetricEigen, testing::Values(1, 2, 5, 40, 97, 145, 420));

// V orthonormal, A V = V diag(theta), theta ascending: these define it. Below the diagonal stands what it
// must not read.
TEST_P(SymmetricEigen, IsTheDecompositionOfTheUpperTriangle) {
  const uword n = GetParam();
  const arma::mat A = arma::symmatu(normal_matrix(n, n, 5, 1));
  for (const Decompose decompose : kBoth) {
    arma::mat V = arma::trimatu(A) + 100 * below_diagonal(normal_matrix(n, n, 5, 2));
    arma::vec theta;

    ASSERT_EQ(decompose(V, theta), Status::ok);

    EXPECT_LE(frobenius(V.t() * V - arma::eye(n, n)), tolerance(n, n));
    EXPECT_LE(frobenius(A * V - V * arma::diagmat(theta)) / frobenius(A), tolerance(n, n));
    EXPECT_TRUE(theta.is_sorted());
  }
}

TEST(SymmetricEigen, FindsRepeatedAndNegativeValues) {
  const arma::vec exact{-3, -3, 0, 0, 0, 2, 7};
  const arma::mat U = orthonormal_matrix(7, 7, 5, 1);
  for (const Decompose decompose : kBoth) {
    arma::mat V = U * arma::diagmat(exact) * U.t();
    arma::vec theta;

    ASSERT_EQ(decompose(V, theta), Status::ok);

    EXPECT_LE(arma::abs(theta - exact).max(), 7 * tolerance(7, 7)) << "the largest is 7";
  }
}

TEST(SymmetricEigen, RefusesWhatIsNotANumberAndLeavesItAsItWas) {
  for (const double wrong : {arma::datum::nan, arma::datum::inf}) {
    for (const Decompose decompose : kBoth) {
      arma::mat A = arma::symmatu(normal_matrix(4, 4, 5, 1));
      A(1, 2) = wrong;
      const arma::mat before = A;
      arma::vec theta;

      EXPECT_EQ(decompose(A, theta), Status::not_finite);
      EXPECT_TRUE(identical(A, before));
    }
  }
}

// 900: blocks, strips and tiles of several sizes, and a rank that falls short.
TEST(SymmetricEigen, OfAllThreadsHasTheSameBitsForAnyNumberOfThem) {
  const arma::mat A = normal_matrix(700, 900, 5, 1);
  const auto decomposed = [&](int threads) {
    const Threads some(threads);
    arma::mat V = A.t() * A;
    arma::vec theta;
    EXPECT_EQ(threaded_symmetric_eigen(V, theta), Status::ok);
    return arma::mat(arma::join_rows(V, theta));
  };
  const arma::mat one = decomposed(1);
  EXPECT_TRUE(identical(decomposed(2), one));
  EXPECT_TRUE(identical(decomposed(3), one));
}

TEST(SymmetricEigen, RefusesWrongShapes) {
  arma::vec theta;
  arma::mat wide(3, 4), nothing;

  for (const Decompose decompose : kBoth) {
    EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(decompose(wide, theta)); }), "");
    EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(decompose(nothing, theta)); }), "");
  }
}

}  // namespace
}  // namespace elmx
