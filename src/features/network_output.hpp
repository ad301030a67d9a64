#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "data/transforms/inputs.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {

inline constexpr uword kTogether = 8 * kFullBlock;  // samples whose H is in memory at once

/// Returns how many numbers of H (k columns) network_outputs keeps at once.
inline double numbers_at_once(uword samples, double k) {
  const uword full = (samples + kFullBlock - 1) / kFullBlock * kFullBlock;
  return static_cast<double>(std::min(kTogether, full)) * k;
}

/// Returns H W_i (n x c) for hidden nodes with outputs(inputs, first, H) of Nodes::Number, all samples of
/// `inputs` and several weights W_i (k x c, for the first k nodes). H is formed once, in blocks of samples;
/// weights that are wider than H are multiplied in double. Every product takes full blocks (see
/// Inputs::full_blocks) and one W, so that a row does not depend on other rows, nor an output on other
/// outputs, to the last bit.
template <class W, class Nodes>
std::vector<arma::mat> network_outputs(const Nodes& nodes, const Inputs& inputs,
                                       const std::vector<arma::Mat<W>>& weights) {
  using T = typename Nodes::Number;
  if (weights.empty()) return {};
  const Inputs full = inputs.full_blocks();
  const uword samples = full.samples();
  std::vector<arma::mat> outputs(weights.size(), arma::mat(samples, weights.front().n_cols));
  arma::Mat<T> H(std::min(kTogether, samples), weights.front().n_rows, arma::fill::none);
  arma::Mat<W> z(H.n_rows, weights.front().n_cols, arma::fill::none);
  for (uword first = 0; first < samples; first += kTogether) {
    const uword count = std::min(kTogether, samples - first);
    nodes.outputs(full, first, View<T>(H).block(0, 0, count, H.n_cols));
    full.X.rethrow();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto blocks = static_cast<long>(count / kFullBlock);
#pragma omp parallel for schedule(dynamic, 1)
      for (long b = 0; b < blocks; ++b) {
        const uword row = static_cast<uword>(b) * kFullBlock;
        const View<W> out = View<W>(z).block(row, 0, kFullBlock, z.n_cols);
        const View<const T> block = View<T>(H).block(row, 0, kFullBlock, H.n_cols);
        if constexpr (std::same_as<T, W>) {
          gemm(Op::none, Op::none, T(1), block, weights[i], T(0), out);
        } else {
          wide_gemm(Op::none, 1.0, block, View<const double>(weights[i]), 0.0, out);
        }
      }
      outputs[i].rows(first, first + count - 1) = arma::conv_to<arma::mat>::from(z.head_rows(count));
    }
  }
  for (arma::mat& Z : outputs) Z.resize(inputs.samples(), Z.n_cols);
  return outputs;
}

/// Returns Z = H W + 1 biases.   W: L x c, biases: 1 x c or empty, Z: n x c.
template <class W, class Nodes>
arma::mat network_output(const Nodes& nodes, const Inputs& inputs, const arma::Mat<W>& weights,
                         const arma::rowvec& biases = {}) {
  arma::mat Z = std::move(network_outputs(nodes, inputs, std::vector<arma::Mat<W>>{weights}).front());
  if (!biases.is_empty() && !Z.is_empty()) Z.each_row() += biases;
  return Z;
}

}  // namespace elmx
