#pragma once

#include "features/draws/node_draw.hpp"

namespace elmx {

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
