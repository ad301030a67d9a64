#pragma once

#include <memory>

#include "cluster/shared_samples.hpp"
#include "solvers/ridge/factor_form.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// The data that all ridge parameters of a sweep share when ranks work on one problem together.
template <class T>
class DistributedSweep {
 public:
  virtual ~DistributedSweep() = default;

  /// Adds the next q nodes.
  virtual void extend(uword q) = 0;
  /// Starts anew with all columns.
  virtual void restart(uword columns) = 0;

  /// Returns a solver whose factor grows according to `form`. This object must outlive it.
  virtual std::unique_ptr<GrowingRidge<T>> solver(double lambda, const FactorForm& form) = 0;
};

/// Makes a sweep for samples that outlive it. capacity: the final number of nodes. mixed: see MixedRidge;
/// otherwise everything is in the type of the samples. Throws std::logic_error in a build without MPI.
template <class T>
std::unique_ptr<DistributedSweep<T>> distributed_sweep(uword capacity, const SharedSamples<T>& samples, bool mixed);

}  // namespace elmx
