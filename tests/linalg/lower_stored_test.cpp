#include <gtest/gtest.h>

#include "linalg/gram.hpp"
#include "support/by_loops.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

// Around the edges of the blocks, 64 and 256.
const std::vector<uword> kStoredSizes{0, 1, 2, 63, 64, 65, 130, 255, 257, 300};

template <class T>
arma::Mat<T> random_matrix(uword rows, uword cols, std::uint32_t stream = 1) {
  return arma::conv_to<arma::Mat<T>>::from(normal_matrix(rows, cols, 7, stream));
}

template <class T>
class LowerStoredTest : public testing::Test {};

using LowerReals = testing::Types<double, float>;
TYPED_TEST_SUITE(LowerStoredTest, LowerReals);

TYPED_TEST(LowerStoredTest, TransposeIsTheTransposeInAnyShape) {
  using T = TypeParam;
  for (const uword m : kStoredSizes) {
    for (const uword n : {uword(0), uword(1), uword(64), uword(65), uword(131)}) {
      const Framed<T> A(random_matrix<T>(m, n));
      Framed<T> B(arma::Mat<T>(n, m));

      transpose(A.view(), B.view());

      const arma::Mat<T> transposed = A.content().is_empty() ? arma::Mat<T>(n, m) : arma::Mat<T>(A.content().t());
      EXPECT_TRUE(identical(B.content(), transposed)) << m << " x " << n;
      EXPECT_FALSE(B.touched()) << m << " x " << n;
    }
  }
  Framed<T> B(arma::Mat<T>(3, 3));
  EXPECT_THROW(transpose(View<const T>(B.view()).head_cols(2), B.view()), std::logic_error);
}

TYPED_TEST(LowerStoredTest, MirrorCopiesTheStrictLowerTriangleAndLeavesTheDiagonal) {
  using T = TypeParam;
  for (const uword n : kStoredSizes) {
    const arma::Mat<T> before = random_matrix<T>(n, n);
    Framed<T> S(before);

    mirror_lower(S.view());

    const arma::Mat<T> after = S.content();
    bool as_defined = true;
    for (uword j = 0; j < n; ++j) {
      for (uword i = 0; i < n; ++i) as_defined &= after(i, j) == (i >= j ? before(i, j) : before(j, i));
    }
    EXPECT_TRUE(as_defined) << n;
    EXPECT_FALSE(S.touched()) << n;
  }
}

TYPED_TEST(LowerStoredTest, SymmetricTimesReadsTheLowerTriangleAndTheDiagonalBesideIt) {
  using T = TypeParam;
  for (const uword n : kStoredSizes) {
    arma::Mat<T> content = random_matrix<T>(n, n);
    arma::mat G = arma::conv_to<arma::mat>::from(content);
    arma::Col<T> d = random_matrix<T>(n, 1, 2).as_col();
    for (uword j = 0; j < n; ++j) {
      for (uword i = 0; i < j; ++i) G(i, j) = G(j, i);
      G(j, j) = static_cast<double>(d(j));
      for (uword i = 0; i <= j; ++i) content(i, j) = std::numeric_limits<T>::quiet_NaN();  // where a factor stands
    }
    const Framed<T> S(content);
    for (const uword m : {uword(1), uword(4)}) {
      const Framed<T> X(random_matrix<T>(n, m, 3));
      Framed<T> Y(arma::Mat<T>(n, m, arma::fill::value(std::numeric_limits<T>::quiet_NaN())));

      symmetric_times(S.view(), d.memptr(), X.view(), Y.view());

      const arma::mat wide = arma::conv_to<arma::mat>::from(X.content()), exact = product_by_loops(1, G, wide, 0, {});
      const arma::mat found = arma::conv_to<arma::mat>::from(Y.content());
      EXPECT_LE(frobenius(found - exact), tolerance<T>(n, 1) * frobenius(G) * frobenius(wide))
          << n << ", " << m << " columns";
      EXPECT_FALSE(Y.touched());
    }
  }
}

TYPED_TEST(LowerStoredTest, TheSameBitsOnOneAndTwoThreads) {
  using T = TypeParam;
  const arma::Mat<T> S = random_matrix<T>(700, 700), X = random_matrix<T>(700, 3, 2);
  const arma::Col<T> d = random_matrix<T>(700, 1, 3).as_col();
  const auto on = [&](int count) {
    const Threads scope(count);
    arma::Mat<T> Y(700, 3);
    symmetric_times(View<const T>(S), d.memptr(), View<const T>(X), View<T>(Y));
    return Y;
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

}  // namespace
}  // namespace elmx
