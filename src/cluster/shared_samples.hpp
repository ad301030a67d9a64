#pragma once

#include <functional>
#include <memory>

#include "linalg/tall_matrix.hpp"
#include "solvers/ridge/ridge_targets.hpp"

namespace elmx {

/// The way in which ranks share the work of a Gram matrix.
enum class GramOver {
  /// each rank forms the products of its samples, which are summed at their owners: each rank sends 8 k^2 / 2
  /// bytes
  samples,
  nodes  ///< each rank forms the nodes that it needs for all samples, and sends nothing
};

/// The samples of a ridge problem that ranks work on together.
template <class T>
struct SharedSamples {
  const TallMatrix<T>& own;  ///< the samples of this rank, all nodes
  RidgeTargets<T> own_targets;
  uword samples;  ///< number of samples of all ranks
  /// forms the given nodes (ascending) for the samples of all ranks
  std::function<std::unique_ptr<TallMatrix<T>>(const arma::uvec& nodes)> nodes_of_all;
  RidgeTargets<T> targets;  ///< targets of all ranks
  GramOver over = GramOver::samples;
};

}  // namespace elmx
