#pragma once

#include "results/quantities.hpp"

namespace elmx {

/// Between what a quantity can lie.
struct NaturalRange {
  double least;
  double most;
};

/// [0, infinity) of errors, diagnostics and times, [0, 1] of fractions, [-1, 1] of correlations, (-infinity, 1] of R2;
/// without ends where nothing is known.
NaturalRange natural_range(const Quantity& quantity);

}  // namespace elmx
