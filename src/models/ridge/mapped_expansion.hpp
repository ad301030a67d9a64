#pragma once

#include "features/feature_map.hpp"
#include "models/predictor.hpp"
#include "models/ridge/expansion.hpp"

namespace elmx {

/// A = the columns of a feature map, in memory: N x L numbers.
template <class T>
std::unique_ptr<Expansion<T>> mapped_expansion(FeatureMap map);

/// A network of the first columns of a map, as it is kept: output_weights (k x c) and, for each layer of nodes in the order of
/// the layout, nodesI_weights (d x L) and nodesI_biases (1 x L). The layout says how they compose ("map").
template <class T>
TrainedNetwork mapped_network(const FeatureMap& map, const arma::Mat<T>& output_weights);

/// Throws DataError where matrices are lacking or do not fit.
template <class T>
std::unique_ptr<Predictor> restore_mapped_network(const TrainedNetwork& network, const NetworkShape& shape);

}  // namespace elmx
