#pragma once

#include <span>
#include <vector>

#include "nets/layers/parameter.hpp"

namespace elmx {

/// The update rule of one parameter matrix. Every matrix has an optimiser of its own.
template <class T>
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// Updates Theta in step s = 1, 2, ... by the gradient of the batch times `clip` (<= 1).
  virtual void update(Parameter<T>& parameter, T clip, std::size_t step) = 0;

  /// Returns everything that the optimiser remembers from step to step.
  virtual std::vector<std::span<T>> state() = 0;

  /// Returns the trace of the matrix P of RLS over its trace before the first step; 1 for other optimisers.
  virtual double growth_of_P() const { return 1; }
};

}  // namespace elmx
