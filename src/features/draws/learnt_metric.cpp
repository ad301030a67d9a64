#include "features/draws/learnt_metric.hpp"

#include <algorithm>

#include "features/draws/small_network.hpp"
#include "features/fourier_features.hpp"
#include "linalg/blas.hpp"
#include "linalg/symmetric_eigen.hpp"

namespace elmx {
namespace {

constexpr std::uint64_t kDrawsOfRound = std::uint64_t(1) << 40;  // the draws of round 0 choose the samples

arma::uvec some_samples(const Rng& rng, uword n) {
  if (n <= kMetricSamples) return arma::regspace<arma::uvec>(0, 1, n - 1);
  const std::vector<std::uint64_t> order = rng.permutation(n);
  arma::uvec chosen(kMetricSamples);
  std::copy_n(order.begin(), chosen.n_elem, chosen.begin());
  return arma::sort(chosen);
}

/// Returns A^(1/2) sqrt(d / trace(A)) of a positive semidefinite A; empty if this is zero or not finite.
arma::mat normalised_root(arma::mat A) {
  arma::vec e;
  if (symmetric_eigen(A, e) != Status::ok) return {};
  e = arma::clamp(e, 0, arma::datum::inf);
  const double mean = arma::mean(e);
  if (!(mean > 0)) return {};
  const arma::mat scaled = A.each_row() % arma::sqrt(e / mean).t();
  arma::mat root(A.n_rows, A.n_cols, arma::fill::none);
  gemm(Op::none, Op::transpose, 1.0, scaled, A, 0.0, View<double>(root));
  return root;
}

}  // namespace

arma::mat learnt_metric(const NodeDraw& draw, const Rng& rng, const TrainingSamples& samples, uword nodes) {
  const arma::uvec chosen = some_samples(rng, samples.count());
  const Inputs inputs{samples.inputs.X, samples.inputs.rows.elem(chosen), samples.inputs.scaler};
  const arma::mat targets = samples.targets.rows(chosen);
  const arma::uvec all = arma::regspace<arma::uvec>(0, 1, chosen.n_elem - 1);
  const uword d = inputs.dimension(), drawn = std::min(nodes, kMetricNodes);
  const Activation activation = draw.activation == kFourier ? Activation::sine : activation_from(draw.activation);
  arma::mat M(d, d, arma::fill::eye);
  for (uword round = 1; round <= draw.metric_rounds; ++round) {
    const TrainingSamples seen{inputs, targets, &M};
    const arma::mat weights = draw_kind(draw.kind).nodes({draw, rng, d, drawn, round * kDrawsOfRound, &seen}).weights();
    const arma::mat X = seen.rows(all);
    SmallNetwork network;
    const RandomLayer layer{activation, weights.head_rows(d), weights.tail_rows(1)};
    if (SmallNetwork::fit(X, targets, layer, network) != Status::ok) break;
    const arma::mat root = normalised_root(network.average_gradient_products(X));
    if (root.is_empty()) break;
    arma::mat next(d, d, arma::fill::none);
    gemm(Op::none, Op::none, 1.0, M, root, 0.0, View<double>(next));
    M = std::move(next);
  }
  return M;
}

}  // namespace elmx
