#include "features/hidden_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
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

Activation activation_of(const std::string& kind) {
  if (kind == kRbf) return Activation::gaussian;
  return kind == kFourier ? Activation::sine : activation_from(kind);
}

void check_shapes(const HiddenNodes& nodes, const Inputs& inputs, uword first, uword rows, uword cols) {
  expects(nodes.W.n_rows == inputs.dimension() && cols <= nodes.W.n_cols, "HiddenNodes: H is n x L with L nodes drawn");
  expects(first + rows <= inputs.samples(), "HiddenNodes: samples exist");
}

template <class T>
void additive_outputs(const HiddenNodes& nodes, const Inputs& inputs, uword first, View<T> H) {
  const arma::Mat<T> weights = rounded<T>(nodes.W, H.cols);
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
      for (uword j = 0; j < H.cols; ++j) activate(nodes.activation, &block(0, j), count, static_cast<T>(nodes.b(j)));
    }
  }
}

void rbf_outputs(const HiddenNodes& nodes, const Inputs& inputs, uword first, View<double> H) {
  const View<const double> centres = View<const double>(nodes.W).head_cols(H.cols);
  const arma::rowvec a2 = arma::sum(arma::square(nodes.W.head_cols(H.cols)), 0);
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
      for (uword i = 0; i < count; ++i) h[i] = std::sqrt(nodes.b(j) * std::max(0.0, h[i] + x2(i) + a2(j)));
      activate(nodes.activation, h, count, 0.0);
    }
  }
}

}  // namespace

HiddenNodes::HiddenNodes(std::string its_kind, arma::mat weights, arma::rowvec biases)
    : kind(std::move(its_kind)), activation(activation_of(kind)), W(std::move(weights)), b(std::move(biases)) {}

HiddenNodes HiddenNodes::draw(const std::string& kind, const Rng& rng, uword inputs, uword nodes,
                              const NodeRanges& ranges, std::uint64_t first_draw) {
  HiddenNodes drawn(kind, arma::mat(inputs, nodes), arma::rowvec(nodes));
  const double weight_width = ranges.weight_max - ranges.weight_min, bias_width = ranges.bias_max - ranges.bias_min,
               sd = std::sqrt(2 * ranges.gamma);
  for (uword j = 0; j < nodes; ++j) {
    const std::uint64_t first = first_draw + j * (inputs + 1);  // node j owns d + 1 draws
    if (kind == kFourier) {
      for (uword i = 0; i < inputs; ++i) drawn.W(i, j) = sd * rng.normal(first + i);
      drawn.b(j) = 2 * std::numbers::pi * rng.uniform(first + inputs);
    } else {
      for (uword i = 0; i < inputs; ++i) drawn.W(i, j) = ranges.weight_min + weight_width * rng.uniform(first + i);
      drawn.b(j) = ranges.bias_min + bias_width * rng.uniform(first + inputs);
    }
  }
  return drawn;
}

double HiddenNodes::working_bytes(uword inputs, uword nodes, uword samples, double word) {
  const uword rows = rows_of_block(inputs), full = (samples + kFullBlock - 1) / kFullBlock * kFullBlock,
              blocks = full / rows;
  const auto d = static_cast<double>(inputs),
             at_once = static_cast<double>(std::min<uword>(blocks, static_cast<uword>(threads())));
  return d * static_cast<double>(nodes) * (word < 8 ? 8 + word : 8) + word * at_once * static_cast<double>(rows) * d;
}

void HiddenNodes::outputs(const Inputs& inputs, uword first, View<double> H) const {
  check_shapes(*this, inputs, first, H.rows, H.cols);
  return kind == kRbf ? rbf_outputs(*this, inputs, first, H) : additive_outputs(*this, inputs, first, H);
}

void HiddenNodes::outputs(const Inputs& inputs, uword first, View<float> H) const {
  expects(kind != kRbf, "HiddenNodes: rbf nodes are in double precision");
  check_shapes(*this, inputs, first, H.rows, H.cols);
  additive_outputs(*this, inputs, first, H);
}

std::vector<std::string> hidden_node_names() {
  std::vector<std::string> names{kRbf};
  for (const ActivationInfo& row : activations()) names.emplace_back(row.name);
  return names;
}

}  // namespace elmx
