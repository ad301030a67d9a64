#include "linalg/blas.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/by_loops.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

constexpr std::array<Op, 2> kOps{Op::none, Op::transpose};

template <class T>
arma::Mat<T> random(uword rows, uword cols, std::uint32_t stream) {
  return arma::conv_to<arma::Mat<T>>::from(normal_matrix(rows, cols, 11, stream));
}

/// A well conditioned triangle (diagonal around 4) above a lower triangle that must never be read.
template <class T>
arma::Mat<T> random_triangle(uword n, std::uint32_t stream) {
  arma::mat R = arma::trimatu(normal_matrix(n, n, 11, stream)) / std::sqrt(static_cast<double>(n));
  R.diag() += 4;
  for (uword j = 0; j < n; ++j) R.col(j).tail(n - 1 - j).fill(arma::datum::nan);
  return arma::conv_to<arma::Mat<T>>::from(R);
}

/// ||C - exact|| relative to the size of what was summed.
template <class T>
double error(const arma::Mat<T>& C, const arma::mat& exact, double scale) {
  return frobenius(arma::conv_to<arma::mat>::from(C) - exact) / scale;
}

struct Size {
  uword m, n, k;
};

// Across the edges of the tiles (512, 4096, 2048, 128, 16) by one, and down to one entry.
const std::vector<Size> kSizes{{1, 1, 1},     {1, 7, 3},     {5, 1, 2},    {17, 16, 15},
                               {513, 515, 7}, {512, 512, 4}, {4097, 3, 5}, {130, 3, 4100},
                               {700, 257, 3}, {3, 1025, 6},  {8200, 2, 9}, {40, 33, 9001}};

template <class T>
class BlasTest : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(BlasTest, Reals);

TYPED_TEST(BlasTest, GemmIsTheProductForEveryPairOfOps) {
  using T = TypeParam;
  for (const auto [m, n, k] : kSizes) {
    for (const Op a : kOps) {
      for (const Op b : kOps) {
        const Framed<T> A(a == Op::none ? random<T>(m, k, 1) : random<T>(k, m, 1));
        const Framed<T> B(b == Op::none ? random<T>(k, n, 2) : random<T>(n, k, 2));
        const arma::mat old = normal_matrix(m, n, 11, 3);
        Framed<T> C(arma::conv_to<arma::Mat<T>>::from(old));
        const arma::mat before = arma::conv_to<arma::mat>::from(C.content());

        gemm(a, b, T(-1.25), A.view(), B.view(), T(0.75), C.view());

        const arma::mat left = apply(a, A.content()), right = apply(b, B.content());
        const double scale = 1.25 * frobenius(left) * frobenius(right) + 0.75 * frobenius(before);
        EXPECT_LE(error(C.content(), product_by_loops(-1.25, left, right, 0.75, before), scale), tolerance<T>(1, k))
            << m << " x " << n << " x " << k;
        EXPECT_FALSE(C.touched());
      }
    }
  }
}

TYPED_TEST(BlasTest, GemmWithBetaZeroDoesNotReadC) {
  using T = TypeParam;
  const arma::Mat<T> A = random<T>(600, 9, 1), B = random<T>(9, 520, 2);
  arma::Mat<T> C(600, 520, arma::fill::value(std::numeric_limits<T>::quiet_NaN()));

  gemm(Op::none, Op::none, T(1), A, B, T(0), View<T>(C));

  const arma::mat left = apply(Op::none, A), right = apply(Op::none, B);
  EXPECT_LE(error(C, product_by_loops(1, left, right, 0, {}), frobenius(left) * frobenius(right)), tolerance<T>(1, 9));
}

TYPED_TEST(BlasTest, SyrkIsTheUpperTriangleAndTouchesNothingElse) {
  using T = TypeParam;
  for (const auto [m, n, ignore] : kSizes) {
    if (n > 600 && m > 600) continue;
    const Framed<T> A(random<T>(m, n, 1));
    Framed<T> G(random<T>(n, n, 2));
    const arma::Mat<T> before = G.content();

    syrk(T(-1.25), A.view(), T(0.75), G.view());

    const arma::mat a = apply(Op::none, A.content()), old = apply(Op::none, before);
    const arma::mat exact = arma::trimatu(product_by_loops(-1.25, a.t(), a, 0.75, old));
    const double scale = 1.25 * frobenius(a) * frobenius(a) + 0.75 * frobenius(old);
    EXPECT_LE(error(arma::Mat<T>(arma::trimatu(G.content())), exact, scale), tolerance<T>(1, m)) << m << " x " << n;
    EXPECT_TRUE(identical(below_diagonal(G.content()), below_diagonal(before)));
    EXPECT_FALSE(G.touched());
  }
}

TYPED_TEST(BlasTest, GemvIsTheProductForBothOps) {
  using T = TypeParam;
  for (const auto [m, n, ignore] :
       std::vector<Size>{{1, 1, 0}, {3, 5, 0}, {2049, 33, 0}, {4100, 18, 0}, {17, 4000, 0}, {300, 301, 0}}) {
    for (const Op op : kOps) {
      const Framed<T> A(random<T>(m, n, 1));
      const arma::mat left = apply(op, A.content());
      const arma::Mat<T> x = random<T>(left.n_cols, 1, 2);
      arma::Mat<T> y = random<T>(left.n_rows, 1, 3);
      const arma::mat before = apply(Op::none, y), right = apply(Op::none, x);

      gemv(op, T(-1.25), A.view(), x.memptr(), T(0.75), y.memptr());

      const double scale = 1.25 * frobenius(left) * frobenius(right) + 0.75 * frobenius(before);
      EXPECT_LE(error(y, product_by_loops(-1.25, left, right, 0.75, before), scale), tolerance<T>(1, left.n_cols))
          << m << " x " << n;
    }
  }
}

TYPED_TEST(BlasTest, GemvWithBetaZeroDoesNotReadY) {
  using T = TypeParam;
  const arma::Mat<T> A = random<T>(3000, 40, 1);
  for (const Op op : kOps) {
    const arma::mat left = apply(op, A);
    const arma::Mat<T> x = random<T>(left.n_cols, 1, 2);
    arma::Mat<T> y(left.n_rows, 1, arma::fill::value(std::numeric_limits<T>::quiet_NaN()));

    gemv(op, T(1), A, x.memptr(), T(0), y.memptr());

    const arma::mat right = apply(Op::none, x);
    EXPECT_LE(error(y, product_by_loops(1, left, right, 0, {}), frobenius(left) * frobenius(right)),
              tolerance<T>(1, left.n_cols));
  }
}

// A network without nodes: BLAS itself returns early and leaves y as it was.
TYPED_TEST(BlasTest, ProductsOverNothingAreStillBetaTimesTheOld) {
  using T = TypeParam;
  const arma::Mat<T> no_columns(3, 0), no_rows(0, 3);
  arma::Mat<T> y = {T(1), T(2), T(3)}, z = y, C = arma::ones<arma::Mat<T>>(3, 3), D = C;

  gemv(Op::none, T(1), no_columns, static_cast<const T*>(nullptr), T(0.5), y.memptr());
  gemv(Op::transpose, T(1), no_rows, static_cast<const T*>(nullptr), T(0.5), z.memptr());
  gemm(Op::none, Op::none, T(1), no_columns, no_rows, T(0.5), View<T>(C));
  gemm(Op::transpose, Op::transpose, T(1), no_rows, no_columns, T(0), View<T>(D));

  const arma::Mat<T> half = {T(0.5), T(1), T(1.5)};
  EXPECT_TRUE(identical(y, half));
  EXPECT_TRUE(identical(z, half));
  EXPECT_TRUE(arma::all(arma::vectorise(C) == T(0.5)));
  EXPECT_TRUE(arma::all(arma::vectorise(D) == T(0)));
}

TYPED_TEST(BlasTest, GerAddsTheOuterProduct) {
  using T = TypeParam;
  for (const auto [m, n, ignore] : std::vector<Size>{{1, 1, 0}, {4, 17, 0}, {5000, 33, 0}, {300, 16, 0}}) {
    const arma::Mat<T> x = random<T>(m, 1, 1), y = random<T>(n, 1, 2);
    Framed<T> A(random<T>(m, n, 3));
    const arma::mat before = apply(Op::none, A.content());

    ger(T(-1.25), x.memptr(), y.memptr(), A.view());

    const arma::mat left = apply(Op::none, x), right = apply(Op::transpose, y);
    const double scale = 1.25 * frobenius(left) * frobenius(right) + frobenius(before);
    EXPECT_LE(error(A.content(), product_by_loops(-1.25, left, right, 1, before), scale), tolerance<T>(1, 1))
        << m << " x " << n;
    EXPECT_FALSE(A.touched());
  }
}

TYPED_TEST(BlasTest, SymvMultipliesByWhatTheUpperTriangleStandsFor) {
  using T = TypeParam;
  for (const uword n : {uword(1), uword(2), uword(17), uword(300)}) {
    const arma::Mat<T> Q = random_triangle<T>(n, 4), x = random<T>(n, 1, 5);
    arma::Mat<T> y(n, 1, arma::fill::value(arma::Datum<T>::nan));

    symv(Q, x.memptr(), y.memptr());

    const arma::mat full = arma::symmatu(arma::conv_to<arma::mat>::from(Q)),
                    exact = full * arma::conv_to<arma::mat>::from(x);
    EXPECT_LE(error(y, exact, frobenius(full) * arma::norm(arma::conv_to<arma::vec>::from(x))), tolerance<T>(n, 1))
        << n;
  }
}

TYPED_TEST(BlasTest, SyrAddsToTheUpperTriangleAndTouchesNothingElse) {
  using T = TypeParam;
  for (const uword n : {uword(1), uword(16), uword(17), uword(600)}) {
    const arma::Mat<T> x = random<T>(n, 1, 6);
    arma::Mat<T> Q = random_triangle<T>(n, 7);
    const arma::mat before = arma::symmatu(arma::conv_to<arma::mat>::from(Q)), wide = arma::conv_to<arma::mat>::from(x);

    syr(T(0.75), x.memptr(), View<T>(Q));

    const arma::mat after = arma::symmatu(arma::conv_to<arma::mat>::from(Q)), exact = before + 0.75 * wide * wide.t();
    EXPECT_LE(frobenius(after - exact) / (frobenius(before) + 0.75 * arma::dot(wide, wide)), tolerance<T>(1, 1)) << n;
    if (n > 1) {
      EXPECT_TRUE(std::isnan(Q(n - 1, 0))) << "the lower triangle";
    }
  }
}

TYPED_TEST(BlasTest, AddAddsAMultiple) {
  using T = TypeParam;
  for (const auto [m, n, ignore] : std::vector<Size>{{1, 1, 0}, {4, 17, 0}, {5000, 33, 0}}) {
    const Framed<T> A(random<T>(m, n, 1));
    Framed<T> B(random<T>(m, n, 2));
    const arma::mat a = apply(Op::none, A.content()), before = apply(Op::none, B.content());

    add(T(-1.25), A.view(), B.view());

    EXPECT_LE(error(B.content(), before - 1.25 * a, 1.25 * frobenius(a) + frobenius(before)), tolerance<T>(1, 1));
    EXPECT_FALSE(B.touched());
  }
}

TYPED_TEST(BlasTest, TrsmSolvesForBothOpsAndReadsTheUpperTriangleOnly) {
  using T = TypeParam;
  for (const auto [n, k, ignore] :
       std::vector<Size>{{1, 1, 0}, {20, 129, 0}, {130, 5, 0}, {300, 257, 0}, {7, 128, 0}}) {
    const Framed<T> R(random_triangle<T>(n, 1));
    for (const Op op : kOps) {
      Framed<T> B(random<T>(n, k, 2));
      const arma::mat before = apply(Op::none, B.content());

      trsm(op, R.view(), B.view());

      const arma::mat exact = solve_by_loops(op == Op::none, apply(op, R.content()), before);
      EXPECT_LE(error(B.content(), exact, frobenius(exact)), tolerance<T>(1, n)) << n << " x " << k;
      EXPECT_FALSE(B.touched());
    }
  }
}

/// What op(R) is with the diagonal stored or taken as ones.
template <class T>
arma::mat triangle(Op op, bool unit, const arma::Mat<T>& R) {
  arma::mat full = arma::trimatu(apply(Op::none, R));
  if (unit) full.diag().ones();
  return apply(op, full);
}

// Across the widths of the tiles of a triangular product (256, 1024) by one, and down to one entry.
const std::vector<Size> kTriangles{{1, 1, 0}, {20, 257, 0}, {130, 5, 0}, {300, 256, 0}, {65, 1025, 0}, {40, 4100, 0}};

TYPED_TEST(BlasTest, TrmmMultipliesFromTheLeftAndReadsTheUpperTriangleOnly) {
  using T = TypeParam;
  for (const auto [n, k, ignore] : kTriangles) {
    const Framed<T> R(random_triangle<T>(n, 1));
    for (const Op op : kOps) {
      for (const bool unit : {false, true}) {
        Framed<T> B(random<T>(n, k, 2));
        const arma::mat before = apply(Op::none, B.content());

        trmm(op, R.view(), B.view(), T(-1.25), unit);

        const arma::mat left = triangle(op, unit, R.content());
        EXPECT_LE(error(B.content(), product_by_loops(-1.25, left, before, 0, {}),
                        1.25 * frobenius(left) * frobenius(before)),
                  tolerance<T>(1, n))
            << n << " x " << k;
        EXPECT_FALSE(B.touched());
      }
    }
  }
}

TYPED_TEST(BlasTest, TrmmRightMultipliesFromTheRightAndReadsTheUpperTriangleOnly) {
  using T = TypeParam;
  for (const auto [n, k, ignore] : kTriangles) {
    const Framed<T> R(random_triangle<T>(n, 1));
    for (const Op op : kOps) {
      for (const bool unit : {false, true}) {
        Framed<T> B(random<T>(k, n, 2));
        const arma::mat before = apply(Op::none, B.content());

        trmm_right(op, R.view(), B.view(), T(-1.25), unit);

        const arma::mat right = triangle(op, unit, R.content());
        EXPECT_LE(error(B.content(), product_by_loops(-1.25, before, right, 0, {}),
                        1.25 * frobenius(right) * frobenius(before)),
                  tolerance<T>(1, n))
            << n << " x " << k;
        EXPECT_FALSE(B.touched());
      }
    }
  }
}

// Across the edges of its tiles, parts of the sum and strips (512, 512, 128).
TYPED_TEST(BlasTest, WeightedSyrkIsTheUpperTriangleAndTouchesNothingElse) {
  using T = TypeParam;
  for (const auto [m, n, ignore] :
       std::vector<Size>{{1, 1, 0}, {3, 129, 0}, {513, 20, 0}, {40, 641, 0}, {520, 513, 0}, {1030, 130, 0}}) {
    for (const T beta : {T(0.75), T(0)}) {
      const Framed<T> A(random<T>(m, n, 1));
      const arma::Mat<T> w = random<T>(m, 1, 4);
      Framed<T> G(beta == T(0) ? arma::Mat<T>(n, n, arma::fill::value(arma::Datum<T>::nan)) : random<T>(n, n, 2));
      const arma::Mat<T> before = G.content();

      syrk(T(-1.25), A.view(), w.memptr(), beta, G.view());

      const arma::mat a = apply(Op::none, A.content()), weighted = arma::diagmat(arma::vec(apply(Op::none, w))) * a;
      const arma::mat old = beta == T(0) ? arma::mat(n, n, arma::fill::zeros) : apply(Op::none, before);
      const arma::mat exact = arma::trimatu(product_by_loops(-1.25, a.t(), weighted, 0.75, old));
      const double scale = 1.25 * frobenius(a) * frobenius(weighted) + 0.75 * frobenius(old);
      EXPECT_LE(error(arma::Mat<T>(arma::trimatu(G.content())), exact, scale), tolerance<T>(1, m)) << m << " x " << n;
      if (beta != T(0)) {
        EXPECT_TRUE(identical(below_diagonal(G.content()), below_diagonal(before)));
      }
      EXPECT_FALSE(G.touched());
    }
  }
}

TYPED_TEST(BlasTest, ScaleRowsByHand) {
  using T = TypeParam;
  const arma::Mat<T> w = {T(2), T(-0.5)};
  Framed<T> B(arma::Mat<T>{{1, 2, 3}, {4, 6, 8}});

  scale_rows(w.memptr(), B.view());

  EXPECT_TRUE(identical(B.content(), arma::Mat<T>{{2, 4, 6}, {-2, -3, -4}}));
  EXPECT_FALSE(B.touched());
}

TYPED_TEST(BlasTest, TrmvMultipliesForBothOpsAndBothDiagonals) {
  using T = TypeParam;
  for (const uword n : {1u, 2u, 16u, 65u, 300u}) {
    const Framed<T> R(random_triangle<T>(n, 1));
    for (const Op op : kOps) {
      for (const bool unit : {false, true}) {
        arma::Mat<T> x = random<T>(n, 1, 2);
        const arma::mat before = apply(Op::none, x);

        trmv(op, unit, R.view(), x.memptr());

        const arma::mat left = triangle(op, unit, R.content());
        EXPECT_LE(error(x, product_by_loops(1, left, before, 0, {}), frobenius(left) * frobenius(before)),
                  tolerance<T>(1, n));
      }
    }
  }
}

TYPED_TEST(BlasTest, DotAndAxpyByHand) {
  using T = TypeParam;
  const arma::Mat<T> x = {T(1), T(2), T(3)};
  arma::Mat<T> y = {T(4), T(-5), T(6)};

  const T inner = dot(3, x.memptr(), y.memptr());
  axpy(3, T(2), x.memptr(), y.memptr());

  const arma::Mat<T> sum = {T(6), T(-1), T(12)};
  EXPECT_EQ(inner, T(12));
  EXPECT_TRUE(identical(y, sum));
}

/// Inputs of all operations, with more rows and columns than a tile of each.
template <class T>
struct Operands {
  arma::Mat<T> A = random<T>(4200, 70, 1), B = random<T>(4200, 530, 2), R = random_triangle<T>(530, 3),
               x = random<T>(4200, 1, 4);
  arma::Mat<T> wide = arma::Mat<T>(B.head_rows(1100)).t(), tall = B.head_rows(1100);
};

/// Everything of this file on so many threads, results one after another.
template <class T>
std::vector<arma::Mat<T>> all_operations(const Operands<T>& in, int threads_wanted) {
  const Threads scope(threads_wanted);
  const auto& [A, B, R, x, wide, tall] = in;
  std::vector<arma::Mat<T>> out;
  arma::Mat<T> C(530, 70), product(4200, 70), G(530, 530), y(530, 1), z(4200, 1, arma::fill::ones),
      D = B, E = wide, U(530, 530), V = wide, W = tall;
  gemm(Op::transpose, Op::none, T(1), B, A, T(0), View<T>(C));
  gemm(Op::none, Op::none, T(1), B, C, T(0), View<T>(product));
  syrk(T(1), B, T(0), View<T>(G));
  gemv(Op::transpose, T(1), B, x.memptr(), T(0), y.memptr());
  gemv(Op::none, T(1), B, y.memptr(), T(1), z.memptr());
  ger(T(1), x.memptr(), y.memptr(), View<T>(D));
  add(T(0.1), B, View<T>(D));
  trsm(Op::transpose, R, View<T>(E));
  trsm(Op::none, R, View<T>(E));
  trmv(Op::none, false, R, y.memptr());
  syrk(T(1), B, x.memptr(), T(0), View<T>(U));
  trmm(Op::transpose, R, View<T>(V));
  trmm_right(Op::none, R, View<T>(W));
  scale_rows(x.memptr(), View<T>(W));
  for (const auto& M : {C, product, G, y, z, D, E, U, V, W}) out.push_back(M);
  return out;
}

TYPED_TEST(BlasTest, ResultsDoNotDependOnTheNumberOfThreads) {
  const Operands<TypeParam> operands;
  const auto one = all_operations(operands, 1);
  for (const int count : {2, 3}) {
    const auto several = all_operations(operands, count);

    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(identical(one[i], several[i])) << "result " << i;
  }
}

TEST(Blas, ShapesThatDoNotFitAreTheProgrammersError) {
  const arma::mat A(3, 2), B(3, 4);
  arma::mat C(2, 4);

  EXPECT_THROW(gemm(Op::none, Op::none, 1.0, A, B, 0.0, View<double>(C)), std::logic_error);
  EXPECT_THROW(gemm(Op::transpose, Op::none, 1.0, A, A, 0.0, View<double>(C)), std::logic_error);
  EXPECT_THROW(syrk(1.0, A, 0.0, View<double>(C)), std::logic_error);
  EXPECT_THROW(add(1.0, A, View<double>(C)), std::logic_error);
  EXPECT_THROW(trsm(Op::none, A, View<double>(C)), std::logic_error);
  EXPECT_THROW(trmm(Op::none, A, View<double>(C)), std::logic_error);
  EXPECT_THROW(trmm_right(Op::none, A, View<double>(C)), std::logic_error);
  EXPECT_THROW(View<double>(C).block(1, 0, 2, 1), std::logic_error);
}

TEST(Blas, ThreadsAreWhatWasSetAndZeroIsAllCores) {
  const Threads scope(2);

  EXPECT_EQ(threads(), 2);
  set_threads(0);
  EXPECT_GE(threads(), 1);
}

}  // namespace
}  // namespace elmx
