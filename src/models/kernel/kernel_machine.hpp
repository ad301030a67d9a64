#pragma once

#include "data/transforms/inputs.hpp"
#include "features/kernel_function.hpp"
#include "models/trained_network.hpp"
#include "solvers/ridge/leverages.hpp"

namespace elmx {

/// A trained kernel machine in its stored form:
///
///     centres    X: n x d, the scaled inputs of the training samples
///     weights    alpha: n x c
///     intercept  b: 1 x c
///
/// Z = K alpha + 1 b, K(i, j) = k(z_i, x_j). Centres and weights are singles if all outputs are.
struct KernelMachine {
  KernelFunction function;
  arma::mat centres;
  arma::mat alpha;
  arma::rowvec intercept;
  bool single = false;
  LeftOut left_out = {};  ///< directions (n + 1) x m, residuals m x c; empty: none are kept

  /// Returns Z: m x c. A row does not depend on the other rows, to the last bit (see Inputs::full_blocks).
  arma::mat outputs(const Inputs& inputs) const;

  /// Returns the outputs of the centres themselves: n x c.
  arma::mat outputs_of_centres() const;

  /// Returns the outputs of the machines that were each trained without one of the centres.
  LeftOutOutputs left_out_outputs(const Inputs& inputs) const;

  TrainedNetwork network() const;

  /// Restores a machine. Throws DataError if matrices are missing or do not fit.
  static KernelMachine restore(const TrainedNetwork& network, const NetworkShape& shape, bool single);

 private:
  /// Returns K(X, centres) A.
  arma::mat product(const arma::mat& X, const arma::mat& A) const;
};

}  // namespace elmx
