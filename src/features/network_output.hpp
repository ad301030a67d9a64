#pragma once

#include <algorithm>

#include "linalg/blas.hpp"
#include "preprocess/inputs.hpp"

namespace elmx {

/// Z = H W of hidden nodes with outputs(inputs, first, H), for all samples of `inputs`; H is formed and used up in blocks of
/// samples.   W: L x c, Z: n x c.
template <class Nodes>
arma::mat network_output(const Nodes& nodes, const Inputs& inputs, const arma::mat& W) {
  constexpr uword kBlock = 4096;
  const uword samples = inputs.samples();
  arma::mat Z(samples, W.n_cols), H(std::min(kBlock, samples), W.n_rows);
  for (uword first = 0; first < samples; first += kBlock) {
    const View<double> block = View<double>(H).block(0, 0, std::min(kBlock, samples - first), H.n_cols);
    nodes.outputs(inputs, first, block);
    gemm(Op::none, Op::none, 1.0, block, W, 0.0, View<double>(Z).block(first, 0, block.rows, Z.n_cols));
  }
  return Z;
}

}  // namespace elmx
