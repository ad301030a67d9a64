#pragma once

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "support/definite.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"

// What every inverse factorisation on the upper triangle of one array keeps to. A Factorisation has
//
//     Real                     double or float
//     Factorisation(n)         of matrices n x n
//     by_columns(S), blocked(S), extend(S, k)
//     inverse(S)               what the factors in S multiply to, in double

namespace elmx {

constexpr std::array<uword, 8> kFactorSizes{1, 2, 63, 64, 65, 128, 129, 300};

template <class Factorisation>
class InverseFactor : public testing::Test {
 public:
  using Real = typename Factorisation::Real;

  /// ||F F' R - I|| / sqrt(n) <= 10 eps sqrt(n) cond(R): rounding R to T alone moves R^-1 by eps cond(R),
  /// relative, and n roundings one after the other add up like sqrt(n).
  static void expect_inverse(const Factorisation& factorisation, const arma::Mat<Real>& S, const arma::Mat<Real>& R,
                             double cond) {
    const uword n = R.n_rows;
    const arma::mat residual = factorisation.inverse(S) * symmetric(R) - arma::eye(n, n);
    EXPECT_LE(frobenius(residual) / std::sqrt(static_cast<double>(n)), tolerance<Real>(1, 1) * std::sqrt(n) * cond)
        << "n " << n << ", cond " << cond;
  }

  /// Every size with condition numbers up to 1e12 that T can tell from singular.
  template <class Check>
  static void for_each_problem(const Check& check) {
    for (const uword n : kFactorSizes) {
      for (const double cond : {1.0, 1e3, 1e6, 1e10, 1e12}) {
        if (tolerance<Real>(n, n) * cond > 1 || (n > 129 && cond == 1e6)) continue;
        check(definite<Real>(n, n == 1 ? 1 : cond), n == 1 ? 1 : cond);
      }
    }
  }
};
TYPED_TEST_SUITE_P(InverseFactor);

TYPED_TEST_P(InverseFactor, ByColumnsAndBlockedAreInversesAndTouchNothingElse) {
  using T = typename TypeParam::Real;
  TestFixture::for_each_problem([](const arma::Mat<T>& R, double cond) {
    for (const auto factor : {&TypeParam::by_columns, &TypeParam::blocked}) {
      TypeParam factorisation(R.n_rows);
      Framed<T> S(R);

      ASSERT_EQ((factorisation.*factor)(S.view()), Status::ok) << R.n_rows << ", " << cond;

      TestFixture::expect_inverse(factorisation, S.content(), R, cond);
      EXPECT_TRUE(identical(below_diagonal(S.content()), below_diagonal(R)));
      EXPECT_FALSE(S.touched());
    }
  });
}

TYPED_TEST_P(InverseFactor, BorderedByAnyNumberOfColumnsIsTheInverseAndTouchesNothingElse) {
  using T = typename TypeParam::Real;
  TestFixture::for_each_problem([](const arma::Mat<T>& R, double cond) {
    const uword n = R.n_rows;
    for (const uword k : {uword(0), uword(1), uword(64), n - 1, n}) {
      if (k > n) continue;
      TypeParam factorisation(n);
      Framed<T> S(R);

      ASSERT_EQ(factorisation.blocked(S.view().block(0, 0, k, k)), Status::ok);
      const arma::Mat<T> before = S.content();
      ASSERT_EQ(factorisation.extend(S.view(), k), Status::ok) << n << ", " << cond << ", " << k;

      TestFixture::expect_inverse(factorisation, S.content(), R, cond);
      EXPECT_TRUE(identical(arma::Mat<T>(S.content().head_cols(k)), arma::Mat<T>(before.head_cols(k))));
      EXPECT_TRUE(identical(below_diagonal(S.content()), below_diagonal(R)));
      EXPECT_FALSE(S.touched());
    }
  });
}

TYPED_TEST_P(InverseFactor, BorderedAgainAndAgainIsTheInverse) {
  using T = typename TypeParam::Real;
  const arma::Mat<T> R = definite<T>(300, 1e3);
  TypeParam factorisation(300);
  arma::Mat<T> S = R;

  uword k = 0;
  for (const uword n : {1u, 64u, 70u, 200u, 299u, 300u}) {
    ASSERT_EQ(factorisation.extend(View<T>(S).block(0, 0, n, n), k), Status::ok);
    k = n;
  }

  TestFixture::expect_inverse(factorisation, S, R, 1e3);
}

// Squares of the entries leave the range of T in both directions.
TYPED_TEST_P(InverseFactor, IsTheInverseAtTheEndsOfTheRange) {
  using T = typename TypeParam::Real;
  const double end = std::is_same_v<T, double> ? 1e150 : 1e30;
  for (const double size : {end, 1 / end, end * 1e100, 1e-100 / end}) {
    if (!std::is_same_v<T, double> && (size > end || size < 1 / end)) continue;
    for (const uword n : {uword(1), uword(64), uword(200)}) {
      const arma::mat scaled = size * arma::conv_to<arma::mat>::from(definite<double>(n, 1e3));
      const arma::Mat<T> R = arma::conv_to<arma::Mat<T>>::from(scaled);
      for (const auto factor : {&TypeParam::by_columns, &TypeParam::blocked}) {
        TypeParam factorisation(n);
        arma::Mat<T> S = R;

        ASSERT_EQ((factorisation.*factor)(View<T>(S)), Status::ok) << n << ", " << size;

        TestFixture::expect_inverse(factorisation, S, R, 1e3);
      }
    }
  }
}

// diag(s) R diag(s) with s from 2^40 to 2^-40: a condition of 1e24 that lies in the scale of rows and columns
// alone.
TYPED_TEST_P(InverseFactor, ScalesOfTheNodesDoNotMatter) {
  using T = typename TypeParam::Real;
  const uword n = 200;
  const arma::Mat<T> R = definite<T>(n, 1e3);
  arma::vec s(n);
  for (uword i = 0; i < n; ++i) s(i) = std::exp2(40 - static_cast<int>(i * 37 % 81));
  arma::Mat<T> S = R;
  for (uword j = 0; j < n; ++j) {
    for (uword i = 0; i < n; ++i) S(i, j) *= static_cast<T>(s(i) * s(j));
  }
  TypeParam factorisation(n);

  ASSERT_EQ(factorisation.blocked(View<T>(S)), Status::ok);

  const arma::mat inverse = arma::diagmat(s) * factorisation.inverse(S) * arma::diagmat(s);
  EXPECT_LE(frobenius(inverse * symmetric(R) - arma::eye(n, n)) / std::sqrt(n),
            tolerance<T>(1, 1) * std::sqrt(n) * 1e3);
}

TYPED_TEST_P(InverseFactor, RefusesWhatIsNotPositiveDefiniteAndKeepsTheFirstColumns) {
  using T = typename TypeParam::Real;
  using limits = std::numeric_limits<T>;
  for (const uword n : {uword(1), uword(2), uword(64), uword(129)}) {
    for (const uword at : {uword(0), n / 2, n - 1}) {
      for (const T wrong : {T(0), T(-0.5), limits::quiet_NaN(), limits::infinity(), limits::denorm_min()}) {
        arma::Mat<T> R = nearly_diagonal<T>(n);
        R(at, at) = wrong;
        TypeParam factorisation(n);
        arma::Mat<T> columns = R, blocked = R, bordered = R;

        EXPECT_EQ(factorisation.by_columns(View<T>(columns)), Status::not_positive_definite)
            << n << ", " << at << ": " << wrong;
        EXPECT_EQ(factorisation.blocked(View<T>(blocked)), Status::not_positive_definite)
            << n << ", " << at << ": " << wrong;

        ASSERT_EQ(factorisation.blocked(View<T>(bordered).block(0, 0, at, at)), Status::ok);
        const arma::Mat<T> before = bordered.head_cols(at);
        const arma::mat inverse = factorisation.inverse(before.head_rows(at));
        EXPECT_EQ(factorisation.extend(View<T>(bordered), at), Status::not_positive_definite)
            << n << ", " << at << ": " << wrong;
        EXPECT_TRUE(identical(arma::Mat<T>(bordered.head_cols(at)), before));
        EXPECT_TRUE(identical(factorisation.inverse(before.head_rows(at)), inverse));
      }
    }
  }
}

TYPED_TEST_P(InverseFactor, RefusesWhatIsNotFiniteOffTheDiagonal) {
  using T = typename TypeParam::Real;
  for (const uword n : {uword(2), uword(64), uword(200)}) {
    for (const auto& [row, column] : {std::pair{uword(0), n - 1}, {n / 2, n - 1}, {n / 4, n / 2}, {n - 2, n - 1}}) {
      if (row == column) continue;
      for (const T wrong : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
        arma::Mat<T> columns = nearly_diagonal<T>(n);
        columns(row, column) = wrong;
        arma::Mat<T> blocked = columns;
        TypeParam factorisation(n);

        EXPECT_EQ(factorisation.by_columns(View<T>(columns)), Status::not_positive_definite)
            << n << ": " << row << ", " << column;
        EXPECT_EQ(factorisation.blocked(View<T>(blocked)), Status::not_positive_definite)
            << n << ": " << row << ", " << column;
      }
    }
  }
}

// More columns than two tiles of every product.
TYPED_TEST_P(InverseFactor, DoesNotDependOnTheNumberOfThreads) {
  using T = typename TypeParam::Real;
  const uword n = 1040;
  arma::Mat<T> R = nearly_diagonal<T>(n);
  R.diag() += 10;
  arma::Mat<T> one = R;
  TypeParam first(n), second(n);
  {
    const Threads scope(1);
    ASSERT_EQ(first.blocked(View<T>(one)), Status::ok);
  }
  TestFixture::expect_inverse(first, one, R, 1.1);
  for (const int count : {2, 3}) {
    arma::Mat<T> S = R;
    const Threads scope(count);
    ASSERT_EQ(second.blocked(View<T>(S)), Status::ok);

    EXPECT_TRUE(identical(S, one)) << count;
    EXPECT_TRUE(identical(second.inverse(S), first.inverse(one))) << count;
  }
}

TYPED_TEST_P(InverseFactor, OfNothingIsNothing) {
  using T = typename TypeParam::Real;
  TypeParam factorisation(0);
  arma::Mat<T> S(0, 0);

  EXPECT_EQ(factorisation.by_columns(View<T>(S)), Status::ok);
  EXPECT_EQ(factorisation.blocked(View<T>(S)), Status::ok);
  EXPECT_EQ(factorisation.extend(View<T>(S), 0), Status::ok);
}

REGISTER_TYPED_TEST_SUITE_P(InverseFactor, ByColumnsAndBlockedAreInversesAndTouchNothingElse,
                            BorderedByAnyNumberOfColumnsIsTheInverseAndTouchesNothingElse,
                            BorderedAgainAndAgainIsTheInverse, IsTheInverseAtTheEndsOfTheRange,
                            ScalesOfTheNodesDoNotMatter, RefusesWhatIsNotPositiveDefiniteAndKeepsTheFirstColumns,
                            RefusesWhatIsNotFiniteOffTheDiagonal, DoesNotDependOnTheNumberOfThreads,
                            OfNothingIsNothing);

}  // namespace elmx
