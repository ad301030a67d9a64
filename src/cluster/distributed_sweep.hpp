#pragma once

#include <functional>

#include "solvers/ridge_algorithms.hpp"

namespace elmx {

/// The way in which ranks share the work of a Gram matrix.
enum class GramOver {
  /// each rank forms the products of its samples, which are summed at their owners: each rank sends 8 k^2 / 2
  /// bytes
  samples,
  nodes  ///< each rank forms the nodes that it needs for all samples, and sends nothing
};

/// The samples of a ridge problem that ranks() work on together.
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

/// Makes a sweep over ranks by an algorithm that has a factor, with a Gram matrix not wider than the samples.
/// The arguments must outlive the sweep. Throws std::logic_error in a build without MPI.
template <class T>
std::unique_ptr<Sweep<T>> distributed_sweep(const RidgeAlgorithm& algorithm, const SharedSamples<T>& samples,
                                            Arithmetic arithmetic);

}  // namespace elmx
