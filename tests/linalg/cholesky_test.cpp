#include "linalg/cholesky.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/definite.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

constexpr std::array<uword, 6> kOrders{1, 2, 255, 256, 257, 600};

template <class T>
class CholeskyTest : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(CholeskyTest, Reals);

TYPED_TEST(CholeskyTest, FactorTimesItselfIsTheMatrix) {
  using T = TypeParam;
  for (const uword n : kOrders) {
    const arma::Mat<T> G = definite<T>(n, 1e3);
    Framed<T> R(G);

    const Status status = cholesky(R.view());

    ASSERT_EQ(status, Status::ok) << n;
    const arma::mat upper = arma::trimatu(arma::conv_to<arma::mat>::from(R.content()));
    EXPECT_LE(relative_difference<double>(upper.t() * upper, symmetric(G)), tolerance<T>(n, n)) << n;
    EXPECT_TRUE(identical(below_diagonal(R.content()), below_diagonal(G))) << n;
    EXPECT_FALSE(R.touched()) << n;
  }
}

TYPED_TEST(CholeskyTest, SolveLeavesASmallResidual) {
  using T = TypeParam;
  for (const uword n : kOrders) {
    const arma::Mat<T> G = definite<T>(n, 1e3);
    const arma::Mat<T> B = arma::conv_to<arma::Mat<T>>::from(normal_matrix(n, 3, 5, 3));
    arma::Mat<T> R = G, X = B;

    ASSERT_EQ(cholesky(View<T>(R)), Status::ok);
    cholesky_solve(View<const T>(R), View<T>(X));

    // ||G X - B|| / (||G|| ||X|| + ||B||), backward stable
    const arma::mat x = arma::conv_to<arma::mat>::from(X), b = arma::conv_to<arma::mat>::from(B), g = symmetric(G);
    EXPECT_LE(frobenius(g * x - b) / (frobenius(g) * frobenius(x) + frobenius(b)), tolerance<T>(n, n)) << n;
  }
}

TYPED_TEST(CholeskyTest, ByHand) {
  using T = TypeParam;
  arma::Mat<T> G = {{4, 2}, {99, 10}};

  ASSERT_EQ(cholesky(View<T>(G)), Status::ok);

  const arma::Mat<T> R = {{2, 1}, {99, 3}};
  EXPECT_TRUE(identical(G, R));
}

TYPED_TEST(CholeskyTest, RefusesWhatIsNotPositiveDefinite) {
  using T = TypeParam;
  for (const uword n : kOrders) {
    for (const uword at : {uword(0), n / 2, n - 1}) {
      arma::Mat<T> negative = nearly_diagonal<T>(n), zero = negative;
      negative(at, at) = T(-0.5);
      zero.row(at).zeros();
      zero.col(at).zeros();

      EXPECT_EQ(cholesky(View<T>(negative)), Status::not_positive_definite) << n << ", " << at;
      EXPECT_EQ(cholesky(View<T>(zero)), Status::not_positive_definite) << n << ", " << at;
    }
  }
}

TYPED_TEST(CholeskyTest, RefusesWhatIsNotFiniteWhereverItStands) {
  using T = TypeParam;
  for (const uword n : kOrders) {
    for (const T wrong : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
      for (const auto& [row, column] :
           {std::pair{uword(0), uword(0)}, {uword(0), n - 1}, {n / 2, n - 1}, {n - 1, n - 1}, {n / 3, n / 2}}) {
        arma::Mat<T> G = nearly_diagonal<T>(n);
        G(row, column) = wrong;

        EXPECT_EQ(cholesky(View<T>(G)), Status::not_positive_definite)
            << n << ": " << row << ", " << column << " = " << wrong;
      }
    }
  }
}

TYPED_TEST(CholeskyTest, DoesNotDependOnTheNumberOfThreads) {
  using T = TypeParam;
  arma::Mat<T> one = definite<T>(1030, 100), two = one;
  {
    const Threads scope(1);
    ASSERT_EQ(cholesky(View<T>(one)), Status::ok);
  }
  {
    const Threads scope(2);
    ASSERT_EQ(cholesky(View<T>(two)), Status::ok);
  }

  EXPECT_TRUE(identical(one, two));
}

TEST(Cholesky, OfNothingIsNothing) {
  arma::mat G(0, 0), B(0, 2);

  EXPECT_EQ(cholesky(View<double>(G)), Status::ok);
  cholesky_solve(View<const double>(G), View<double>(B));
}

/// The matrix with the numbers of another above the diagonal, where nobody is to look.
arma::mat lower_of(const arma::mat& G) {
  const arma::mat full = symmetric(G);
  return arma::trimatl(full) + below_diagonal(normal_matrix(G.n_rows, G.n_rows, 5, 7)).t();
}

TEST(SolveDefinite, LeavesASmallResidual) {
  for (const uword n : kOrders) {
    for (const uword k : {uword(1), uword(3), n}) {
      const arma::mat G = definite<double>(n, 1e3), A = lower_of(G), B = normal_matrix(n, k, 5, 3);
      Framed<double> factor(A), X(B);

      ASSERT_EQ(solve_definite(factor.view(), X.view()), Status::ok) << n;

      const arma::mat x = X.content(), g = symmetric(G);
      EXPECT_LE(frobenius(g * x - B) / (frobenius(g) * frobenius(x) + frobenius(B)), tolerance(n, n)) << n;
      EXPECT_GT(frobenius(g * (1.000001 * x) - B) / (frobenius(g) * frobenius(x) + frobenius(B)), tolerance(n, n))
          << "the judge itself";
      EXPECT_FALSE(factor.touched() || X.touched()) << n;
      EXPECT_TRUE(identical(below_diagonal(arma::mat(factor.content().t())), below_diagonal(arma::mat(A.t()))))
          << "the lower triangle alone";
    }
  }
}

TEST(SolveDefinite, ByHand) {
  arma::mat A = {{4, 99}, {2, 10}}, B = arma::vec{8, 22};  // 4 + 2 * 2, 2 + 10 * 2

  ASSERT_EQ(solve_definite(View<double>(A), View<double>(B)), Status::ok);
  EXPECT_LE(relative_difference<double>(B, arma::vec{1, 2}), tolerance(2, 2));
}

TEST(SolveDefinite, WhatIsNotPositiveDefiniteIsRefused) {
  const auto solve = [](arma::mat A) {
    arma::mat B(A.n_rows, 2, arma::fill::ones);
    return solve_definite(View<double>(A), View<double>(B));
  };

  EXPECT_EQ(solve({{1, 2}, {2, 1}}), Status::not_positive_definite);
  EXPECT_EQ(solve({{1, 1}, {1, 1}}), Status::not_positive_definite) << "singular";
  EXPECT_EQ(solve(arma::mat{0.0}), Status::not_positive_definite);
  EXPECT_EQ(solve(arma::mat{-1.0}), Status::not_positive_definite);
  EXPECT_EQ(solve(arma::mat{arma::datum::nan}), Status::not_positive_definite);
  EXPECT_EQ(solve(arma::mat{arma::datum::inf}), Status::not_positive_definite);
  EXPECT_EQ(solve({{1, 0}, {0, arma::datum::inf}}), Status::not_positive_definite);
  EXPECT_EQ(solve({{1, 0}, {arma::datum::nan, 1}}), Status::not_positive_definite);
  arma::mat late = lower_of(definite<double>(300, 10));
  late(299, 299) = -1;
  EXPECT_EQ(solve(late), Status::not_positive_definite);
}

TEST(SolveDefinite, OfNothingIsNothing) {
  arma::mat A(0, 0), B(0, 2), one{4.0}, none(1, 0);

  EXPECT_EQ(solve_definite(View<double>(A), View<double>(B)), Status::ok);
  EXPECT_EQ(solve_definite(View<double>(one), View<double>(none)), Status::ok);
}

TEST(SolveDefinite, RefusesOtherShapes) {
  arma::mat A(3, 3, arma::fill::eye), B(2, 1), wide(3, 4);

  EXPECT_THROW((void)solve_definite(View<double>(A), View<double>(B)), std::logic_error);
  EXPECT_THROW((void)solve_definite(View<double>(wide), View<double>(A)), std::logic_error);
}

}  // namespace
}  // namespace elmx
