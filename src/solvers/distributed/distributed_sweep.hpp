#pragma once

#include <memory>

#include "solvers/distributed/shared_samples.hpp"
#include "solvers/ridge/factor_form.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// What all ridge parameters of a sweep share where ranks work on one problem together.
template <class T>
class DistributedSweep {
 public:
  virtual ~DistributedSweep() = default;

  /// Takes in the next q nodes.
  virtual void extend(uword q) = 0;
  /// The same, all nodes anew.
  virtual void restart(uword columns) = 0;

  /// Its factor grows as `form` says. This must outlive it.
  virtual std::unique_ptr<GrowingRidge<T>> solver(double lambda, const FactorForm& form) = 0;
};

/// capacity: the nodes that will ever be added. mixed: see MixedRidge, else everything is in the type of the
/// samples, which must outlive it. std::logic_error in a build without MPI.
template <class T>
std::unique_ptr<DistributedSweep<T>> distributed_sweep(uword capacity, const SharedSamples<T>& samples, bool mixed);

}  // namespace elmx
