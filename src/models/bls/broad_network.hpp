#pragma once

#include <memory>

#include "features/broad_features.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// A broad network of so many nodes as `output_weights` has rows, as it is kept (see BroadFeatures):
///
///     projection                   (d + 1) x f
///     feature_offset               1 x f
///     feature_factor               1 x f
///     enhancement1_weights ...     of each part of the expanded input that is made of enhancement nodes: inputs x
///     nodes, shrunk
///     enhancement1_biases ...      1 x nodes, shrunk
///     output_weights               k x c
///
/// The layout says for each part which columns of the expanded input it is and which feature nodes feed it, counted
/// from 0.
template <class T>
TrainedNetwork broad_network(const BroadFeatures<T>& features, const arma::Mat<T>& output_weights);

/// Throws DataError where matrices are lacking or do not fit.
template <class T>
std::unique_ptr<Predictor> restore_broad_network(const TrainedNetwork& network, const NetworkShape& shape);

}  // namespace elmx
