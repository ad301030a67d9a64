#include "features/random_layer.hpp"

#include <algorithm>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kBlock = kFullBlock;  // samples; H of a block stays in the cache between product and activation

}  // namespace

RandomLayer RandomLayer::draw(const Rng& rng, uword inputs, uword nodes, Activation activation, const RandomLayerRanges& ranges) {
  RandomLayer layer{activation, arma::mat(inputs, nodes), arma::rowvec(nodes)};
  const double weight_width = ranges.weight_max - ranges.weight_min, bias_width = ranges.bias_max - ranges.bias_min;
  for (uword j = 0; j < nodes; ++j) {
    const uword first = j * (inputs + 1);  // node j owns d + 1 draws
    for (uword i = 0; i < inputs; ++i) layer.W(i, j) = ranges.weight_min + weight_width * rng.uniform(first + i);
    layer.b(j) = ranges.bias_min + bias_width * rng.uniform(first + inputs);
  }
  return layer;
}

template <class T>
void RandomLayer::outputs(const Inputs& inputs, uword first, View<T> H) const {
  expects(W.n_rows == inputs.dimension() && H.cols <= W.n_cols, "RandomLayer: H is n x L with L nodes drawn");
  expects(first + H.rows <= inputs.samples(), "RandomLayer: samples exist");
  const arma::Mat<T> weights = arma::conv_to<arma::Mat<T>>::from(W.head_cols(H.cols));
  const auto blocks = static_cast<long>((H.rows + kBlock - 1) / kBlock);
#pragma omp parallel
  {
    arma::Mat<T> X(std::min(kBlock, H.rows), inputs.dimension());
#pragma omp for schedule(dynamic, 1)
    for (long k = 0; k < blocks; ++k) {
      const uword row = static_cast<uword>(k) * kBlock, count = std::min(kBlock, H.rows - row);
      inputs.block(first + row, count, X.memptr());
      const View<T> block = H.block(row, 0, count, H.cols);
      gemm(Op::none, Op::none, T(1), View<const T>(X.memptr(), count, X.n_cols, count), weights, T(0), block);
      for (uword j = 0; j < H.cols; ++j) activate(activation, &block(0, j), count, static_cast<T>(b(j)));
    }
  }
}

template void RandomLayer::outputs(const Inputs&, uword, View<double>) const;
template void RandomLayer::outputs(const Inputs&, uword, View<float>) const;

}  // namespace elmx
