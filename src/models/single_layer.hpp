#pragma once

#include <memory>
#include <string>

#include "features/hidden_nodes.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// Returns the stored form of a network with one hidden layer of nodes f(x'w + b), or "rbf" nodes exp(-b
/// ||w - x||^2):
///
///     weights         W: d x L, or the centres
///     biases          b: 1 x L, or the widths
///     output_weights  beta: L x c
///     output_biases   1 x c, if there are any
///
/// Z = f(X W + 1 b) beta + 1 output_biases.   hidden: the first row(s) W above the last row b, (d + 1) x L.
template <class T>
TrainedNetwork single_layer(const std::string& activation, const arma::mat& hidden, const arma::Mat<T>& output_weights,
                            const arma::rowvec& output_biases = {});

/// Restores a network. Throws DataError if matrices are missing or do not fit.
template <class T>
std::unique_ptr<Predictor> restore_single_layer(const TrainedNetwork& network, const NetworkShape& shape);

}  // namespace elmx
