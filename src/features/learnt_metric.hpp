#pragma once

#include "features/node_draw.hpp"

namespace elmx {

/// A ridge network of additive nodes with a constant term, f(X W + 1 b) weights + constants.
///
///     min ||Hc weights - Yc||^2 + lambda ||weights||^2,   Hc = H - 1 mean(H), n x L,   Yc = Y - 1 mean(Y)
///
/// lambda is the one of 19 values, 1e-7 to 1e2 times trace(Hc'Hc) / L, with the least sum of squared
/// leave-one-out errors. For leverages within 1e-3 of 1, the error counts as 1000 residuals. All numbers are
/// doubles in memory.
struct SmallNetwork {
  HiddenNodes nodes;
  arma::mat weights;       // L x c
  arma::rowvec constants;  // 1 x c
  double lambda = 0;

  /// Fits the network to X (n x d) and Y (n x c). About 2 n L^2 + 9 L^3 + 40 n L (c + 1) flops and 2 n L
  /// numbers. Returns not_finite if the eigenvalues of Hc'Hc are not found.
  [[nodiscard]] static Status fit(const arma::mat& X, const arma::mat& Y, HiddenNodes nodes, SmallNetwork& network);

  /// Returns the outputs of the network: n x c.
  arma::mat outputs(const arma::mat& X) const;

  /// Returns the average gradient outer product (1 / n) sum_i sum_k g_ik g_ik' (d x d), where g_ik is the
  /// gradient of output k at x_i with respect to the inputs. With the n x L slopes S = f'(X W + 1 b) it is
  ///
  ///     W ((S'S / n) % (weights weights')) W'          n L^2 + 2 d L^2 + 2 d^2 L flops
  arma::mat average_gradient_products(const arma::mat& X) const;
};

/// Limits of the samples and nodes of the networks from which a metric is learnt.
inline constexpr uword kMetricSamples = 10000, kMetricNodes = 1000;

/// Learns a metric M (d x d) from the training samples in `draw.metric_rounds` rounds. Inputs become X M, so
/// that random nodes are sensitive where the targets change. M starts as I, and a round
///
///     draws nodes of this kind in the metric and fits a SmallNetwork to X M,
///     takes the average gradient outer product A of its outputs with respect to X M,
///     M <- M A^(1/2) sqrt(d / trace(A)).
///
/// Learning ends at a round whose network has no gradient or cannot be fitted. The networks have `nodes`
/// nodes (at most kMetricNodes) and see at most kMetricSamples training samples, drawn without replacement.
///
/// A. Radhakrishnan, D. Beaglehole, P. Pandit, M. Belkin, "Mechanism for feature learning in neural networks
/// and backpropagation-free machine learning models", Science 383, 2024.
arma::mat learnt_metric(const NodeDraw& draw, const Rng& rng, const TrainingSamples& samples, uword nodes);

}  // namespace elmx
