#include "linalg/gram.hpp"

#include <algorithm>

#include "linalg/tall_matrix.hpp"

namespace elmx {

template <class A, class T>
void gram(View<const T> H, A beta, View<A> G) {
  if constexpr (std::same_as<A, T>) {
    syrk(A(1), H, beta, G);
  } else {
    WidenedMatrix(StoredMatrix(H)).for_each_block(H.cols, [&](uword first, View<const A> block) {
      syrk(A(1), block, first == 0 ? beta : A(1), G);
    });
  }
}

template <class A, class T>
void ridge_gram(View<const T> H, double lambda, View<A> G) {
  gram(H, A(0), G);
  for (uword j = 0; j < G.cols; ++j) G(j, j) += static_cast<A>(lambda);
}

template <class A, class T, class Y>
void cross_product(View<const T> H, View<const Y> targets, View<A> C, std::type_identity_t<A> beta) {
  if constexpr (std::same_as<A, T>) {
    gemm(Op::transpose, Op::none, A(1), H, targets, beta, C);
  } else {
    WidenedMatrix(StoredMatrix(H)).for_each_block(H.cols, [&](uword first, View<const A> block) {
      const arma::Mat<A> wide =
          arma::conv_to<arma::Mat<A>>::from(targets.block(first, 0, block.rows, targets.cols).copy());
      gemm(Op::transpose, Op::none, A(1), block, wide, first == 0 ? beta : A(1), C);
    });
  }
}

template void gram(View<const double>, double, View<double>);
template void gram(View<const float>, float, View<float>);
template void gram(View<const float>, double, View<double>);
template void ridge_gram(View<const double>, double, View<double>);
template void ridge_gram(View<const float>, double, View<float>);
template void ridge_gram(View<const float>, double, View<double>);
template void cross_product(View<const double>, View<const double>, View<double>, double);
template void cross_product(View<const float>, View<const float>, View<float>, float);
template void cross_product(View<const float>, View<const float>, View<double>, double);
template void cross_product(View<const float>, View<const double>, View<double>, double);

namespace {

constexpr uword kEdge = 64;   // edge of a block whose rows and columns both stay in the cache
constexpr uword kRows = 256;  // rows of the result per thread

}  // namespace

template <class T>
void transpose(View<const std::type_identity_t<T>> A, View<T> B) {
  expects(B.rows == A.cols && B.cols == A.rows, "transpose: B is n x m");
#pragma omp parallel for schedule(dynamic, 1)
  for (uword j0 = 0; j0 < B.cols; j0 += kEdge) {
    for (uword i0 = 0; i0 < B.rows; i0 += kEdge) {
      for (uword j = j0; j < std::min(j0 + kEdge, B.cols); ++j) {
        for (uword i = i0; i < std::min(i0 + kEdge, B.rows); ++i) B(i, j) = A(j, i);
      }
    }
  }
}

template <class T>
void mirror_lower(View<T> S) {
  expects(S.rows == S.cols, "mirror_lower: S is n x n");
#pragma omp parallel for schedule(dynamic, 1)
  for (uword j0 = 0; j0 < S.cols; j0 += kEdge) {
    for (uword i0 = 0; i0 <= j0; i0 += kEdge) {
      for (uword j = j0; j < std::min(j0 + kEdge, S.cols); ++j) {
        for (uword i = i0; i < std::min(i0 + kEdge, j); ++i) S(i, j) = S(j, i);
      }
    }
  }
}

template <class T>
void symmetric_times(View<const std::type_identity_t<T>> S, const T* d, View<const std::type_identity_t<T>> X,
                     View<T> Y) {
  const uword n = S.rows, m = X.cols;
  expects(S.cols == n && X.rows == n && Y.rows == n && Y.cols == m, "symmetric_times: S is n x n, X and Y are n x m");
#pragma omp parallel for schedule(dynamic, 1)
  for (uword i = 0; i < n; i += kRows) {
    const uword b = std::min(kRows, n - i), below = n - i - b;
    arma::Mat<T> G = S.block(i, i, b, b).copy();  // G_ii
    for (uword j = 0; j < b; ++j) {
      G(j, j) = d[i + j];
      for (uword r = 0; r < j; ++r) G(r, j) = G(j, r);
    }
    const View<T> out = Y.block(i, 0, b, m);
    gemm(Op::none, Op::none, T(1), G, X.block(i, 0, b, m), T(0), out);
    if (i > 0) gemm(Op::none, Op::none, T(1), S.block(i, 0, b, i), X.block(0, 0, i, m), T(1), out);
    if (below > 0)
      gemm(Op::transpose, Op::none, T(1), S.block(i + b, i, below, b), X.block(i + b, 0, below, m), T(1), out);
  }
}

template void transpose(View<const double>, View<double>);
template void transpose(View<const float>, View<float>);
template void mirror_lower(View<double>);
template void mirror_lower(View<float>);
template void symmetric_times(View<const double>, const double*, View<const double>, View<double>);
template void symmetric_times(View<const float>, const float*, View<const float>, View<float>);

}  // namespace elmx
