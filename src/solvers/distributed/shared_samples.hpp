#pragma once

#include <functional>
#include <memory>

#include "linalg/tall_matrix.hpp"
#include "solvers/ridge/ridge_targets.hpp"

namespace elmx {

/// How ranks share the work of a Gram matrix.
enum class GramOver {
  /// each has the products of its samples, which are summed at their owners: 8 k^2 / 2 bytes sent by each
  /// rank
  samples,
  nodes  ///< each forms the nodes that it needs for all samples: nothing is sent
};

/// The samples of a ridge problem that ranks work on together.
template <class T>
struct SharedSamples {
  const TallMatrix<T>& own;  ///< the samples of this rank, all nodes
  RidgeTargets<T> own_targets;
  uword samples;  ///< of all ranks
  /// The nodes named, ascending, for the samples of all ranks.
  std::function<std::unique_ptr<TallMatrix<T>>(const arma::uvec& nodes)> nodes_of_all;
  RidgeTargets<T> targets;  ///< of all ranks
  GramOver over = GramOver::samples;
};

}  // namespace elmx
