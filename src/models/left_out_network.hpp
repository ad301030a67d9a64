#pragma once

#include <optional>

#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "solvers/ridge/left_out.hpp"

namespace elmx {

/// Keeps leave-one-out solutions with a network: "jackknife_directions" in T and "jackknife_residuals" in
/// double.
template <class T>
void keep_left_out(const LeftOut& of, TrainedNetwork& network);

/// Keeps the residuals r_i = y_i - f_{-i}(x_i) of m samples alone, m x c: the network of a stack, whose
/// members need not be ridge solutions.
void keep_residuals(const arma::mat& residuals, TrainedNetwork& network);

/// Returns the residuals that a network keeps, m x c, or an empty matrix if it keeps none. Throws DataError
/// where they are not of c outputs.
arma::mat kept_residuals(const TrainedNetwork& network, arma::uword c);

/// The solutions that a network keeps, for k columns and c outputs; none where it keeps none. Throws
/// DataError where their shapes do not fit.
template <class T>
std::optional<LeftOut> kept_left_out(const TrainedNetwork& network, arma::uword k, arma::uword c);

/// spread: n x m, a(x)'d_i of n samples x; residuals: m x c.
LeftOutOutputs left_out_outputs(const arma::mat& spread, const arma::mat& residuals);

}  // namespace elmx
