#include "features/learnt_metric.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"

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
  return gemm(Op::none, Op::transpose, 1.0, scaled, A);
}

constexpr uword kRowsTogether = 4 * kFullBlock;
constexpr double kLeastSlack = 1e-3;  // smallest 1 - leverage

/// Returns A'A.
arma::mat gram_of(const arma::mat& A) {
  arma::mat G(A.n_cols, A.n_cols, arma::fill::none);
  syrk(1.0, A, 0.0, View<double>(G));
  return arma::symmatu(G);
}

/// Returns f(X W + 1 b), or the slopes f'(X W + 1 b): n x L.
template <class Apply>
arma::mat node_values(const HiddenNodes& nodes, const arma::mat& X, const Apply& apply) {
  arma::mat H = gemm(Op::none, Op::none, 1.0, X, nodes.W);
#pragma omp parallel for schedule(static)
  for (long j = 0; j < static_cast<long>(H.n_cols); ++j) {
    const auto column = static_cast<uword>(j);
    apply(H.colptr(column), H.n_rows, nodes.b(column));
  }
  return H;
}

arma::mat hidden_outputs(const HiddenNodes& nodes, const arma::mat& X) {
  return node_values(nodes, X, [&](double* v, uword n, double b) { activate(nodes.activation, v, n, b); });
}

/// Returns the sums of the squared leave-one-out errors of m values of lambda over the samples with rows P =
/// Hc V. Hc = H - 1 mean = U sqrt(e) V', C = V'Hc'Yc; inverse: L x m, 1 / (e + lambda); constant: leverage of
/// the constant term.
arma::vec squared_errors(const arma::mat& P, const arma::mat& Yc, const arma::mat& C, const arma::mat& inverse,
                         double constant) {
  const uword m = inverse.n_cols, c = C.n_cols;
  arma::mat coefficients(inverse.n_rows, m * c);  // V'weights of each lambda
  for (uword i = 0; i < m; ++i) {
    for (uword k = 0; k < c; ++k) coefficients.col(i * c + k) = inverse.col(i) % C.col(k);
  }
  const arma::mat fitted = gemm(Op::none, Op::none, 1.0, P, coefficients),
                  leverages = gemm(Op::none, Op::none, 1.0, arma::mat(arma::square(P)), inverse);
  arma::vec sums(m, arma::fill::zeros);
  for (uword i = 0; i < m; ++i) {
    const arma::vec slack = arma::clamp(1 - constant - leverages.col(i), kLeastSlack, arma::datum::inf);
    for (uword k = 0; k < c; ++k) sums(i) += arma::accu(arma::square((Yc.col(k) - fitted.col(i * c + k)) / slack));
  }
  return sums;
}

}  // namespace

Status SmallNetwork::fit(const arma::mat& X, const arma::mat& Y, HiddenNodes nodes, SmallNetwork& network) {
  arma::mat H = hidden_outputs(nodes, X);
  const arma::rowvec mean = arma::mean(H), mean_target = arma::mean(Y);
  H.each_row() -= mean;
  const arma::mat Yc = Y.each_row() - mean_target;
  arma::mat V = gram_of(H);
  const double unit = arma::trace(V) / static_cast<double>(H.n_cols);
  arma::vec e;
  if (const Status status = symmetric_eigen(V, e); status != Status::ok) return status;
  e = arma::clamp(e, 0, arma::datum::inf);
  const arma::mat C = gemm(Op::transpose, Op::none, 1.0, V, gemm(Op::transpose, Op::none, 1.0, H, Yc));
  const arma::vec lambdas = arma::logspace(-7, 2, 19) * (unit > 0 ? unit : 1);
  arma::mat inverse(e.n_elem, lambdas.n_elem);
  for (uword i = 0; i < lambdas.n_elem; ++i) inverse.col(i) = 1 / (e + lambdas(i));
  arma::vec sums(lambdas.n_elem, arma::fill::zeros);
  for (uword first = 0; first < H.n_rows; first += kRowsTogether) {
    const uword last = std::min(first + kRowsTogether, H.n_rows) - 1;
    sums += squared_errors(gemm(Op::none, Op::none, 1.0, arma::mat(H.rows(first, last)), V), Yc.rows(first, last), C,
                           inverse, 1 / static_cast<double>(H.n_rows));
  }
  if (!sums.is_finite()) return Status::not_finite;
  network.lambda = lambdas(sums.index_min());
  network.weights = gemm(Op::none, Op::none, 1.0, V, arma::mat(C.each_col() / (e + network.lambda)));
  network.constants = mean_target - mean * network.weights;
  network.nodes = std::move(nodes);
  return Status::ok;
}

arma::mat SmallNetwork::outputs(const arma::mat& X) const {
  arma::mat Z = gemm(Op::none, Op::none, 1.0, hidden_outputs(nodes, X), weights);
  Z.each_row() += constants;
  return Z;
}

arma::mat SmallNetwork::average_gradient_products(const arma::mat& X) const {
  const arma::mat slopes =
      node_values(nodes, X, [&](double* v, uword n, double b) { activate_slope(nodes.activation, v, n, b); });
  const arma::mat S =
      gram_of(slopes) / static_cast<double>(X.n_rows) % gemm(Op::none, Op::transpose, 1.0, weights, weights);
  const arma::mat A = gemm(Op::none, Op::transpose, 1.0, gemm(Op::none, Op::none, 1.0, nodes.W, S), nodes.W);
  return (A + A.t()) / 2;
}

arma::mat learnt_metric(const NodeDraw& draw, const Rng& rng, const TrainingSamples& samples, uword nodes) {
  const arma::uvec chosen = some_samples(rng, samples.inputs.samples());
  const Inputs inputs{samples.inputs.X, samples.inputs.rows.elem(chosen), samples.inputs.scaler};
  const arma::mat targets = samples.targets.rows(chosen);
  const arma::uvec all = arma::regspace<arma::uvec>(0, 1, chosen.n_elem - 1);
  const uword d = inputs.dimension(), drawn = std::min(nodes, kMetricNodes);
  arma::mat M(d, d, arma::fill::eye);
  for (uword round = 1; round <= draw.metric_rounds; ++round) {
    const TrainingSamples seen{inputs, targets, &M};
    const arma::mat X = seen.rows(all);
    SmallNetwork network;
    HiddenNodes nodes_of_round = draw_kind(draw.kind).nodes({draw, rng, d, drawn, round * kDrawsOfRound, &seen});
    if (SmallNetwork::fit(X, targets, std::move(nodes_of_round), network) != Status::ok) break;
    const arma::mat root = normalised_root(network.average_gradient_products(X));
    if (root.is_empty()) break;
    M = gemm(Op::none, Op::none, 1.0, M, root);
  }
  return M;
}

}  // namespace elmx
