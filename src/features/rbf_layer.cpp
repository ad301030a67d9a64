#include "features/rbf_layer.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace elmx {

RbfLayer RbfLayer::draw(const Rng& rng, uword inputs, uword nodes, const RandomLayerRanges& ranges,
                        std::uint64_t first_draw) {
  RandomLayer layer = RandomLayer::draw(rng, inputs, nodes, Activation::gaussian, ranges, first_draw);
  return {std::move(layer.W), std::move(layer.b)};
}

void RbfLayer::outputs(const Inputs& inputs, uword first, View<double> H) const {
  expects(A.n_rows == inputs.dimension() && H.cols <= A.n_cols, "RbfLayer: H is n x L with L nodes drawn");
  expects(first + H.rows <= inputs.samples(), "RbfLayer: samples exist");
  const View<const double> centres = View<const double>(A).head_cols(H.cols);
  const arma::rowvec a2 = arma::sum(arma::square(A.head_cols(H.cols)), 0);
  const auto blocks = static_cast<long>((H.rows + kFullBlock - 1) / kFullBlock);
#pragma omp parallel for schedule(dynamic, 1)
  for (long k = 0; k < blocks; ++k) {
    const uword row = static_cast<uword>(k) * kFullBlock, count = std::min(kFullBlock, H.rows - row);
    arma::mat X(count, inputs.dimension());
    inputs.block(first + row, count, X.memptr());
    const arma::vec x2 = arma::sum(arma::square(X), 1);
    const View<double> block = H.block(row, 0, count, H.cols);
    gemm(Op::none, Op::none, -2.0, X, centres, 0.0, block);
    for (uword j = 0; j < H.cols; ++j) {
      double* h = &block(0, j);
      // exp(-v^2) with v = sqrt(b ||a - x||^2)
      for (uword i = 0; i < count; ++i) h[i] = std::sqrt(b(j) * std::max(0.0, h[i] + x2(i) + a2(j)));
      activate(Activation::gaussian, h, count, 0.0);
    }
  }
}

}  // namespace elmx
