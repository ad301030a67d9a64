#pragma once

#include "models/ridge/ridge_setup.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

/// The samples and columns of A, and the number of ridge parameters trained together.
struct SweepSize {
  uword samples, columns;
  std::size_t models;
  bool in_double;  ///< type of A
};

/// Returns true if the leverages of a sweep come from one spectrum. This is so if the algorithm has a
/// spectrum itself, or if the spectrum takes less work than each R^-1 (see spectrum_pays), in double
/// precision, for an algorithm whose weights solve the ridge problem and that does not hold A R^-1. The
/// weights are the same either way.
bool takes_spectrum(const RidgeAlgorithm& algorithm, const RidgeSetup& setup, const SweepSize& size);

/// Returns the flops of the leave-one-out numbers of all models of a size, except a spectrum of the
/// algorithm.
double leave_one_out_flops(const RidgeAlgorithm& algorithm, const RidgeSetup& setup, const SweepSize& size);

}  // namespace elmx
