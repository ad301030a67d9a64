#include "linalg/gram.hpp"

#include <algorithm>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kSamples = 4096;

/// Calls body(block of samples widened to A, first sample) for each block.
template <class A, class T, class Body>
void for_each_widened_block(View<const T> H, const Body& body) {
  arma::Mat<A> block(std::min(kSamples, H.rows), H.cols);
  for (uword first = 0; first < H.rows; first += kSamples) {
    const uword count = std::min(kSamples, H.rows - first);
#pragma omp parallel for schedule(static)
    for (uword j = 0; j < H.cols; ++j) {
      std::copy_n(H.data + first + j * H.ld, count, block.colptr(j));
    }
    body(View<const A>(block.memptr(), count, H.cols, block.n_rows), first);
  }
}

}  // namespace

template <class A, class T>
void gram(View<const T> H, A beta, View<A> G) {
  if constexpr (std::same_as<A, T>) {
    syrk(A(1), H, beta, G);
  } else {
    for_each_widened_block<A>(
        H, [&](View<const A> block, uword first) { syrk(A(1), block, first == 0 ? beta : A(1), G); });
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
    for_each_widened_block<A>(H, [&](View<const A> block, uword first) {
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

}  // namespace elmx
