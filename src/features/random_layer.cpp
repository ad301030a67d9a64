#include "features/random_layer.hpp"

#include <algorithm>
#include <type_traits>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kNarrow = 4096, kLeastRows = 16;

/// Returns the samples per block: H of a block stays in the cache between product and activation. Wide data
/// use a smaller power of two, so that the inputs of the blocks take no more memory than the data.
uword rows_of_block(uword inputs) {
  uword rows = kFullBlock;
  while (rows > kLeastRows && rows * inputs > kFullBlock * kNarrow) rows /= 2;
  return rows;
}

/// Returns W rounded to T; W itself if T is double.
template <class T>
arma::Mat<T> rounded(const arma::mat& W, uword cols) {
  if constexpr (std::is_same_v<T, double>)
    return arma::mat(const_cast<double*>(W.memptr()), W.n_rows, cols, false, true);
  else
    return arma::conv_to<arma::Mat<T>>::from(W.head_cols(cols));
}

}  // namespace

double RandomLayer::working_bytes(uword inputs, uword nodes, uword samples, double word) {
  const uword rows = rows_of_block(inputs), full = (samples + kFullBlock - 1) / kFullBlock * kFullBlock,
              blocks = full / rows;
  const auto d = static_cast<double>(inputs),
             at_once = static_cast<double>(std::min<uword>(blocks, static_cast<uword>(threads())));
  return d * static_cast<double>(nodes) * (word < 8 ? 8 + word : 8) + word * at_once * static_cast<double>(rows) * d;
}

RandomLayer RandomLayer::draw(const Rng& rng, uword inputs, uword nodes, Activation activation,
                              const RandomLayerRanges& ranges, std::uint64_t first_draw) {
  RandomLayer layer{activation, arma::mat(inputs, nodes), arma::rowvec(nodes)};
  const double weight_width = ranges.weight_max - ranges.weight_min, bias_width = ranges.bias_max - ranges.bias_min;
  for (uword j = 0; j < nodes; ++j) {
    const std::uint64_t first = first_draw + j * (inputs + 1);  // node j owns d + 1 draws
    for (uword i = 0; i < inputs; ++i) layer.W(i, j) = ranges.weight_min + weight_width * rng.uniform(first + i);
    layer.b(j) = ranges.bias_min + bias_width * rng.uniform(first + inputs);
  }
  return layer;
}

template <class T>
void RandomLayer::outputs(const Inputs& inputs, uword first, View<T> H) const {
  expects(W.n_rows == inputs.dimension() && H.cols <= W.n_cols, "RandomLayer: H is n x L with L nodes drawn");
  expects(first + H.rows <= inputs.samples(), "RandomLayer: samples exist");
  const arma::Mat<T> weights = rounded<T>(W, H.cols);
  const uword block_rows = rows_of_block(inputs.dimension());
  const auto blocks = static_cast<long>((H.rows + block_rows - 1) / block_rows);
#pragma omp parallel
  {
    arma::Mat<T> X(std::min(block_rows, H.rows), inputs.dimension());
#pragma omp for schedule(dynamic, 1)
    for (long k = 0; k < blocks; ++k) {
      const uword row = static_cast<uword>(k) * block_rows, count = std::min(block_rows, H.rows - row);
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
