#pragma once

#include <optional>

#include "solvers/kernel/kernel_ridge.hpp"

namespace elmx {

/// Settings of a kernel machine. Leave-one-out errors choose the settings that are not given.
struct KernelWish {
  Kernel kernel = Kernel::laplace_l1;
  std::optional<double> length;  ///< relative to the typical scale of the samples
  std::optional<double> lambda;
  bool intercept = true;
  /// true: count wrong classes (largest output, or one output against the middle of the targets), plus a
  /// thousandth of the squared errors to break ties; false: take squared errors
  bool by_accuracy = false;
  double first_decade = -9;  ///< log10 of the least lambda that is tried, over the mean of diag(K)
};

struct KernelChoice {
  double length = 1;  ///< relative to the typical scale
  double lambda = 1;
  double error = 0;  ///< error of the leave-one-out outputs
  /// the best length or lambda is the first or the last that may be tried
  bool at_edge = false;
};

/// Chooses length and lambda for samples X (m x d) with targets Y (m x c). Lengths are powers of two, from 1
/// on as long as a neighbour is better. For each length, lambda is found on a grid of half decades and then
/// of eighths, from one eigendecomposition. About five eigendecompositions of m x m. weights: m, or empty.
KernelChoice choose_kernel(const KernelWish& wish, const arma::mat& X, const arma::mat& Y, const arma::vec& weights);

}  // namespace elmx
