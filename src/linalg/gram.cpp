#include "linalg/gram.hpp"

#include <algorithm>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kSamples = 4096;

/// body(block of samples widened to A, first sample, beta): beta is 0 for the first block and 1 after it.
template <class A, class T, class Body>
void for_each_widened_block(View<const T> H, const Body& body) {
  arma::Mat<A> block(std::min(kSamples, H.rows), H.cols);
  for (uword first = 0; first < H.rows; first += kSamples) {
    const uword count = std::min(kSamples, H.rows - first);
#pragma omp parallel for schedule(static)
    for (uword j = 0; j < H.cols; ++j) {
      std::copy_n(H.data + first + j * H.ld, count, block.colptr(j));
    }
    body(View<const A>(block.memptr(), count, H.cols, block.n_rows), first, first == 0 ? A(0) : A(1));
  }
}

}  // namespace

template <class A, class T>
void ridge_gram(View<const T> H, double lambda, View<A> G) {
  if constexpr (std::same_as<A, T>) {
    syrk(A(1), H, A(0), G);
  } else {
    for_each_widened_block<A>(H, [&](View<const A> block, uword, A beta) { syrk(A(1), block, beta, G); });
  }
  for (uword j = 0; j < G.cols; ++j) G(j, j) += static_cast<A>(lambda);
}

template <class A, class T>
void cross_product(View<const T> H, View<const T> targets, View<A> C) {
  if constexpr (std::same_as<A, T>) {
    gemm(Op::transpose, Op::none, A(1), H, targets, A(0), C);
  } else {
    for_each_widened_block<A>(H, [&](View<const A> block, uword first, A beta) {
      const arma::Mat<A> wide = arma::conv_to<arma::Mat<A>>::from(targets.block(first, 0, block.rows, targets.cols).copy());
      gemm(Op::transpose, Op::none, A(1), block, wide, beta, C);
    });
  }
}

template void ridge_gram(View<const double>, double, View<double>);
template void ridge_gram(View<const float>, double, View<float>);
template void ridge_gram(View<const float>, double, View<double>);
template void cross_product(View<const double>, View<const double>, View<double>);
template void cross_product(View<const float>, View<const float>, View<float>);
template void cross_product(View<const float>, View<const float>, View<double>);

}  // namespace elmx
