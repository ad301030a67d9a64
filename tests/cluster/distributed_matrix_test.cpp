#include "cluster/distributed_matrix.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "cluster/whole.hpp"
#include "support/definite.hpp"
#include "support/judge.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

using Kind = FactorForm::Kind;

// Blocks have 32 columns below 1024: sizes with ranks that own nothing, with parts of blocks, with several
// blocks.
constexpr std::array<uword, 8> kSizes{1, 5, 31, 32, 33, 64, 100, 200};

template <class T>
arma::mat wide(const arma::Mat<T>& M) {
  return arma::conv_to<arma::mat>::from(M);
}

template <class T>
arma::mat upper(const arma::Mat<T>& M, uword n) {
  return arma::trimatu(wide(M).submat(0, 0, arma::size(n, n)));
}

template <class T>
class DistributedMatrixTest : public testing::Test {
 protected:
  static constexpr double kCond = 100;
  static arma::Mat<T> problem(uword n) { return definite<T>(n, n == 1 ? 1 : kCond); }
  static arma::Mat<T> right_sides(uword n) { return arma::conv_to<arma::Mat<T>>::from(normal_matrix(n, 3, 9)); }

  /// R'R = G of the leading n x n of `factor`.
  static void expect_factor(const arma::Mat<T>& factor, const arma::Mat<T>& G, uword n) {
    const arma::mat R = upper(factor, n);
    EXPECT_LE(relative_difference<double>(R.t() * R, symmetric<T>(G.submat(0, 0, arma::size(n, n)))),
              tolerance<T>(n, n))
        << n;
  }

  /// ||F F' G - I|| as in the contract of inverse factors.
  static void expect_inverse(const arma::Mat<T>& factor, const arma::Mat<T>& G, uword n) {
    const arma::mat F = upper(factor, n);
    const arma::mat residual = F * F.t() * symmetric<T>(G.submat(0, 0, arma::size(n, n))) - arma::eye(n, n);
    EXPECT_LE(frobenius(residual) / std::sqrt(n), tolerance<T>(1, 1) * std::sqrt(n) * kCond) << n;
  }
};

using BothTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(DistributedMatrixTest, BothTypes);

TYPED_TEST(DistributedMatrixTest, IsDealtSoThatEveryNumberHasOneOwner) {
  using T = TypeParam;
  for (const uword n : kSizes) {
    const arma::Mat<T> G = this->problem(n);
    DistributedMatrix<T> A(n);

    distribute_columns(G, 0, A);

    EXPECT_TRUE(identical(whole(A), G)) << n;
  }
}

TYPED_TEST(DistributedMatrixTest, BothFactorsAreTheirDefinitionAndTouchNothingElse) {
  using T = TypeParam;
  for (const uword n : kSizes) {
    const arma::Mat<T> G = this->problem(n);
    DistributedMatrix<T> R(n), F(n);
    distribute_columns(G, 0, R);
    distribute_columns(G, 0, F);

    EXPECT_EQ(R.factorise(Kind::cholesky, 0, n), Status::ok);
    EXPECT_EQ(F.factorise(Kind::inverse, 0, n), Status::ok);

    this->expect_factor(whole(R), G, n);
    this->expect_inverse(whole(F), G, n);
    EXPECT_TRUE(identical(below_diagonal(whole(R)), below_diagonal(G))) << n;
    EXPECT_TRUE(identical(below_diagonal(whole(F)), below_diagonal(G))) << n;
  }
}

TYPED_TEST(DistributedMatrixTest, GrownInOddStepsTheyAreTheSameAtEverySize) {
  using T = TypeParam;
  const uword n = 200;
  const arma::Mat<T> G = this->problem(n);
  DistributedMatrix<T> R(n), F(n);
  uword first = 0;
  for (const uword size : {1u, 8u, 32u, 45u, 96u, 97u, 173u, 200u}) {
    distribute_columns(G, R.first_of_block(first), R);
    distribute_columns(G, F.first_of_block(first), F);
    const arma::Mat<T> R_before = whole(R), F_before = whole(F);

    EXPECT_EQ(R.factorise(Kind::cholesky, first, size), Status::ok);
    EXPECT_EQ(F.factorise(Kind::inverse, first, size), Status::ok);

    this->expect_factor(whole(R), G, size);
    this->expect_inverse(whole(F), G, size);
    for (const auto& [after, before] : {std::pair(whole(R), R_before), std::pair(whole(F), F_before)}) {
      const uword done = R.first_of_block(first);
      EXPECT_TRUE(identical(arma::Mat<T>(after.head_cols(done)), arma::Mat<T>(before.head_cols(done)))) << size;
      EXPECT_TRUE(identical(arma::Mat<T>(after.tail_cols(n - size)), arma::Mat<T>(before.tail_cols(n - size)))) << size;
      EXPECT_TRUE(identical(below_diagonal(after), below_diagonal(G))) << size;
    }
    first = size;
  }
}

// Blocks of 64 columns, several on each rank in both directions; judged by what they do to a few vectors.
TYPED_TEST(DistributedMatrixTest, FactorsOfManyBlocksAreTheirDefinition) {
  using T = TypeParam;
  const uword n = 1100;
  const arma::Mat<T> G = nearly_diagonal<T>(n);
  const arma::mat S = symmetric(G), X = normal_matrix(n, 2, 6);
  DistributedMatrix<T> R(n), F(n);
  EXPECT_EQ(R.block(), 64u);
  for (const uword first : {uword(0), uword(700)}) {
    const uword size = first == 0 ? 700 : n, last = size - 1;
    distribute_columns(G, R.first_of_block(first), R);
    distribute_columns(G, F.first_of_block(first), F);

    EXPECT_EQ(R.factorise(Kind::cholesky, first, size), Status::ok);
    EXPECT_EQ(F.factorise(Kind::inverse, first, size), Status::ok);

    const arma::mat U = upper(whole(R), size), V = upper(whole(F), size), x = X.head_rows(size);
    const arma::mat Sx = S.submat(0, 0, last, last) * x, SVVx = S.submat(0, 0, last, last) * (V * (V.t() * x));
    EXPECT_LE(relative_difference<double>(U.t() * (U * x), Sx), tolerance<T>(size, size)) << size;
    EXPECT_LE(relative_difference<double>(SVVx, x), tolerance<T>(size, size)) << size;
  }
}

TYPED_TEST(DistributedMatrixTest, SolvesAndMultipliesAsTheFactorsSay) {
  using T = TypeParam;
  for (const uword n : kSizes) {
    const arma::Mat<T> G = this->problem(n), B = this->right_sides(n);
    DistributedMatrix<T> A(n);
    distribute_columns(G, 0, A);
    const arma::mat U = upper(G, n), exact = U * (U.t() * wide(B));
    arma::Mat<T> product = B, solution = B;

    A.apply_inverse(Kind::inverse, View<T>(product));
    EXPECT_EQ(A.factorise(Kind::cholesky, 0, n), Status::ok);
    A.apply_inverse(Kind::cholesky, View<T>(solution));

    EXPECT_LE(frobenius(wide(product) - exact), tolerance<T>(n, n) * std::pow(frobenius(U), 2) * frobenius(wide(B)));
    const arma::mat S = symmetric<T>(G);
    EXPECT_LE(frobenius(S * wide(solution) - wide(B)), tolerance<T>(n, n) * frobenius(S) * frobenius(wide(solution)))
        << n;
    EXPECT_TRUE(same_on_all_ranks(product));
    EXPECT_TRUE(same_on_all_ranks(solution));
  }
}

TYPED_TEST(DistributedMatrixTest, SolvesWithALeadingPart) {
  using T = TypeParam;
  const uword n = 100, k = 45;
  const arma::Mat<T> G = this->problem(n), B = this->right_sides(k);
  DistributedMatrix<T> A(n);
  distribute_columns(G, 0, A);
  arma::Mat<T> solution = B;

  EXPECT_EQ(A.factorise(Kind::cholesky, 0, k), Status::ok);
  A.apply_inverse(Kind::cholesky, View<T>(solution));

  const arma::mat S = symmetric<T>(G.submat(0, 0, arma::size(k, k)));
  EXPECT_LE(frobenius(S * wide(solution) - wide(B)), tolerance<T>(n, n) * frobenius(S) * frobenius(wide(solution)));
}

TYPED_TEST(DistributedMatrixTest, MirrorsWhatStandsBelowTheDiagonalAndTouchesNothingElse) {
  using T = TypeParam;
  for (const uword n : kSizes) {
    for (const uword first : {uword(0), n / 2}) {
      for (const bool itself : {true, false}) {
        const uword size = n - n / 5;
        if (size <= first) continue;
        const arma::Mat<T> G = arma::conv_to<arma::Mat<T>>::from(normal_matrix(n, n, 3));
        DistributedMatrix<T> A(n), other(n);
        distribute_columns(G, 0, A);
        arma::Mat<T> expected = itself ? G : arma::Mat<T>(n, n);
        for (uword j = A.first_of_block(first); j < size; ++j) {
          for (uword i = 0; i < j; ++i) expected(i, j) = G(j, i);
        }
        DistributedMatrix<T>& into = itself ? A : other;

        into.mirror(A, first, size);

        EXPECT_TRUE(identical(whole(into), expected)) << n << ", " << first << ", " << itself;
      }
    }
  }
}

TYPED_TEST(DistributedMatrixTest, EveryRankSeesThatItIsNotPositiveDefinite) {
  using T = TypeParam;
  const uword n = 100;
  for (const uword at : {0u, 40u, 99u}) {
    for (const T wrong : {T(0), T(-1), std::numeric_limits<T>::quiet_NaN()}) {
      arma::Mat<T> G = nearly_diagonal<T>(n);
      G(at, at) = wrong;
      DistributedMatrix<T> R(n), F(n);
      distribute_columns(G, 0, R);
      distribute_columns(G, 0, F);

      EXPECT_EQ(R.factorise(Kind::cholesky, 0, n), Status::not_positive_definite) << at << ", " << wrong;
      EXPECT_EQ(F.factorise(Kind::inverse, 0, n), Status::not_positive_definite) << at << ", " << wrong;
    }
  }
}

}  // namespace
}  // namespace elmx
