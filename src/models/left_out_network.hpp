#pragma once

#include <optional>

#include "models/trained_network.hpp"
#include "solvers/ridge/leverages.hpp"

namespace elmx {

/// Stores leave-one-out solutions with a network: "jackknife_directions" in T, "jackknife_residuals" in
/// double.
template <class T>
void keep_left_out(const LeftOut& of, TrainedNetwork& network);

/// Stores only the residuals r_i = y_i - f_{-i}(x_i) of m samples, m x c. The network of a stack needs no
/// more, since its members need not be ridge solutions.
void keep_residuals(const arma::mat& residuals, TrainedNetwork& network);

/// Returns the residuals that a network stores, m x c, or an empty matrix if it stores none. Throws DataError
/// if they do not have c outputs.
arma::mat kept_residuals(const TrainedNetwork& network, arma::uword c);

/// Returns the solutions that a network stores, for k columns and c outputs, or nothing if it stores none.
/// Throws DataError if their shapes do not fit.
template <class T>
std::optional<LeftOut> kept_left_out(const TrainedNetwork& network, arma::uword k, arma::uword c);

/// Computes leave-one-out outputs. spread: n x m, a(x)'d_i of n samples x; residuals: m x c.
LeftOutOutputs left_out_outputs(const arma::mat& spread, const arma::mat& residuals);

}  // namespace elmx
