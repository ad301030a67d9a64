#pragma once

#include <algorithm>

#include "linalg/blas.hpp"
#include "preprocess/inputs.hpp"

namespace elmx {

/// body(first) for each of the full blocks among `samples` samples, in parallel.
template <class Body>
void for_each_full_block(uword samples, const Body& body) {
  const auto blocks = static_cast<long>(samples / kFullBlock);
#pragma omp parallel for schedule(dynamic, 1)
  for (long b = 0; b < blocks; ++b) body(static_cast<uword>(b) * kFullBlock);
}

/// Z = H W + 1 biases of hidden nodes with outputs(inputs, first, H), for all samples of `inputs`; H is formed and used
/// up in blocks
/// of samples.   W: L x c, biases: 1 x c or empty, Z: n x c.
/// All products are of full blocks (see Inputs::full_blocks): a row of Z does not depend on the other rows, to the last
/// bit.
template <class T, class Nodes>
arma::mat network_output(const Nodes& nodes, const Inputs& inputs, const arma::Mat<T>& W,
                         const arma::rowvec& biases = {}) {
  constexpr uword kTogether = 8 * kFullBlock;
  const Inputs full = inputs.full_blocks();
  const uword samples = full.samples();
  arma::mat Z(samples, W.n_cols);
  arma::Mat<T> H(std::min(kTogether, samples), W.n_rows), z(H.n_rows, W.n_cols);
  for (uword first = 0; first < samples; first += kTogether) {
    const uword count = std::min(kTogether, samples - first);
    nodes.outputs(full, first, View<T>(H).block(0, 0, count, H.n_cols));
    for_each_full_block(count, [&](uword row) {
      const View<T> out = View<T>(z).block(row, 0, kFullBlock, z.n_cols);
      gemm(Op::none, Op::none, T(1), View<T>(H).block(row, 0, kFullBlock, H.n_cols), W, T(0), out);
    });
    Z.rows(first, first + count - 1) = arma::conv_to<arma::mat>::from(z.head_rows(count));
  }
  Z.resize(inputs.samples(), W.n_cols);
  if (!biases.is_empty() && !Z.is_empty()) Z.each_row() += biases;
  return Z;
}

}  // namespace elmx
