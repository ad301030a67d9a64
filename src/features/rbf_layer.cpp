#include "features/rbf_layer.hpp"

#include <cmath>

#include "linalg/blas.hpp"

namespace elmx {

RbfLayer RbfLayer::draw(const Rng& rng, uword inputs, uword nodes, const RandomLayerRanges& ranges) {
  RandomLayer layer = RandomLayer::draw(rng, inputs, nodes, Activation::gaussian, ranges);
  return {std::move(layer.W), std::move(layer.b)};
}

void RbfLayer::outputs(const Inputs& inputs, uword first, View<double> H) const {
  expects(A.n_rows == inputs.dimension() && H.cols == A.n_cols, "RbfLayer: H is n x L with L nodes drawn");
  expects(first + H.rows <= inputs.samples(), "RbfLayer: samples exist");
  arma::mat X(H.rows, inputs.dimension());
  inputs.block(first, H.rows, X.memptr());
  const arma::vec x2 = arma::sum(arma::square(X), 1);
  const arma::rowvec a2 = arma::sum(arma::square(A), 0);
  gemm(Op::none, Op::none, -2.0, X, A, 0.0, H);
#pragma omp parallel for schedule(static)
  for (long j = 0; j < static_cast<long>(H.cols); ++j) {
    double* h = &H(0, static_cast<uword>(j));
    const double a = a2(static_cast<uword>(j)), width = b(static_cast<uword>(j));
    // exp(-v^2) with v = sqrt(b ||a - x||^2)
    for (uword i = 0; i < H.rows; ++i) h[i] = std::sqrt(width * std::max(0.0, h[i] + x2(i) + a));
    activate(Activation::gaussian, h, H.rows, 0.0);
  }
}

}  // namespace elmx
