#pragma once

#include "features/draws/node_draw.hpp"

namespace elmx {

/// Most samples and nodes of the networks that a metric is learnt from.
inline constexpr uword kMetricSamples = 10000, kMetricNodes = 1000;

/// The metric M (d x d) that `draw.metric_rounds` rounds learn from the training samples: inputs become X M,
/// and random nodes are then sensitive where the targets change. With M = I at first, a round
///
///     draws nodes of this kind in the metric and fits a SmallNetwork to X M,
///     takes the average gradient outer product A of its outputs with respect to X M,
///     M <- M A^(1/2) sqrt(d / trace(A)).
///
/// A round whose network has no gradient, or cannot be fitted, ends the learning. The networks have `nodes`
/// nodes, kMetricNodes at most, and see kMetricSamples training samples at most, drawn without replacement.
///
/// A. Radhakrishnan, D. Beaglehole, P. Pandit, M. Belkin, "Mechanism for feature learning in neural networks
/// and backpropagation-free machine learning models", Science 383, 2024.
arma::mat learnt_metric(const NodeDraw& draw, const Rng& rng, const TrainingSamples& samples, uword nodes);

}  // namespace elmx
