#pragma once

#include <span>
#include <vector>

#include "nets/layers/parameter.hpp"

namespace elmx {

/// What changes one parameter matrix; each has one of its own.
template <class T>
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// Theta of step s = 1, 2, ... from the gradient of the batch times `clip` (<= 1).
  virtual void update(Parameter<T>& parameter, T clip, std::size_t step) = 0;

  /// All that it remembers from step to step.
  virtual std::vector<std::span<T>> state() = 0;

  /// The trace of the matrix P that RLS keeps, over its trace before the first step; 1 for other optimisers.
  virtual double growth_of_P() const { return 1; }
};

}  // namespace elmx
