#pragma once

#include "models/ridge/ridge_setup.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

/// Samples and columns of A, and the ridge parameters that are trained together on them.
struct SweepSize {
  uword samples, columns;
  std::size_t models;
  bool in_double;  ///< the type of A
};

/// Returns true if the leverages of a sweep come from one spectrum: where the algorithm has it itself, or
/// where that is less work than R^-1 of each (see spectrum_pays) in double precision, for an algorithm whose
/// weights solve the ridge problem and which does not hold A R^-1. Weights do not depend on it.
bool takes_spectrum(const RidgeAlgorithm& algorithm, const RidgeSetup& setup, const SweepSize& size);

/// Flops of the leave-one-out numbers of all models of a size, that of a spectrum of the algorithm itself
/// left out.
double leave_one_out_flops(const RidgeAlgorithm& algorithm, const RidgeSetup& setup, const SweepSize& size);

}  // namespace elmx
