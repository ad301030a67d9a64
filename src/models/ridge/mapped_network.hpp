#pragma once

#include <memory>

#include "features/feature_map.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// Returns the stored form of a network of the first columns of a map: output_weights (k x c) and the
/// matrices of the nodes of each part of the map, numbered in the order of the layout ("map"), which
/// describes their composition. Random and enhancement nodes have nodesI_weights (d x L) and nodesI_biases
/// (1 x L); feature nodes have nodesI_projection ((d + 1) x f), nodesI_offset and nodesI_factor (1 x f).
/// docs/reference/model_file.md has the formulas.
///
/// The weights may be wider than the map.
template <class T, class W>
TrainedNetwork mapped_network(const FeatureMap<T>& map, const arma::Mat<W>& output_weights);

/// Restores a network. W: the type of the output weights. Throws DataError if matrices are missing or do not
/// fit.
template <class T, class W>
std::unique_ptr<Predictor> restore_mapped_network(const TrainedNetwork& network, const NetworkShape& shape);

}  // namespace elmx
