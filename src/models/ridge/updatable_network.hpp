#pragma once

#include "models/ridge/expansion.hpp"
#include "models/trained_network.hpp"
#include "solvers/updates/updated_ridge.hpp"

namespace elmx {

/// Stores with a network the sums over its N training samples that determine its weights.
///
///     update_gram   1 x k (k + 1) / 2   the upper triangle of A'A, column by column
///     update_cross  k x (1 + c)         A'[1 Y]
///     update_ridge  1 x 1               lambda
///     update_peaks  1 x (k + 1 + c)     the largest values so far of (A'A)_ii and of max_i |A'[1 Y]_ij| /
///                                       sqrt((A'A + lambda I)_ii), whose rounding errors remain
///
/// A: N x k or more columns, rows scaled; Y: N x c, rows scaled; scale: the scale of the rows, which is also
/// applied to the 1. N k^2 flops.
void keep_sums(const TallMatrix<double>& A, const arma::mat& Y, const RowScale<double>& scale, double lambda,
               TrainedNetwork& network);

/// A network whose samples come and go: W = (A'A + lambda I)^-1 A'Y with the map, and thus the columns, of
/// the first training.
class UpdatableNetwork {
 public:
  /// Throws DataError if the network stores no sums (keep_sums), or if a matrix does not fit.
  UpdatableNetwork(TrainedNetwork network, const NetworkShape& shape);

  /// Adds c outputs whose target is `off` for all samples so far.
  void add_outputs(uword count, double off);

  /// Adds or removes n samples. Y: n x c; weights: n, or empty. Removed samples must have been added before,
  /// with the same weights. n k^2 flops, and memory for some thousand rows of A.
  void change(const Inputs& inputs, const arma::mat& Y, const arma::vec& weights, Change change);

  /// Returns the factor by which the sums have been larger than they are now, at least 1.
  double shrinkage() const;

  /// Returns the factor by which the changes of this object have enlarged the sums: the trace of A'A, or the
  /// products with a target.
  double enlargement() const;

  /// Solves, and sets `network` to the network of the current samples, without leave-one-out solutions.
  /// Sets `rounding` to an estimate of the relative rounding error of the weights, eps shrinkage ||S^-1||,
  /// where S is A'A + lambda I scaled to a diagonal of ones. Leaves both unchanged if the status is not ok.
  /// k^3 / 3 flops.
  [[nodiscard]] Status solve(TrainedNetwork& network, double& rounding) const;

 private:
  TrainedNetwork network_;
  FeatureMap<double> map_;
  RidgeSums sums_;  // A'A and A'[1 Y]
  double lambda_;
  arma::rowvec peaks_, first_peaks_;  // 1 x (k + 1 + c): now, and before any change
};

}  // namespace elmx
