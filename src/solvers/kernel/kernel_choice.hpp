#pragma once

#include <optional>

#include "solvers/kernel/kernel_ridge.hpp"

namespace elmx {

/// Settings of a kernel machine; leave-one-out errors choose those that are not given.
struct KernelWish {
  Kernel kernel = Kernel::laplace_l1;
  std::optional<double> length;  ///< over the typical scale of the samples
  std::optional<double> lambda;
  bool intercept = true;
  /// of the classes that the largest output (of one output: the middle of the targets) names, and a
  /// thousandth of the squared errors, which decides between equals; else of squared errors
  bool by_accuracy = false;
  double first_decade = -9;  ///< log10 of the least lambda that is tried, over the mean of the diagonal of K
};

struct KernelChoice {
  double length = 1;  ///< over the typical scale
  double lambda = 1;
  double error = 0;  ///< of the leave-one-out outputs
  /// the best length or lambda is the first or the last one of those that may be tried
  bool at_edge = false;
};

/// Chooses length and lambda for samples X (m x d) with targets Y (m x c): lengths are powers of two,
/// beginning at 1 and going on as long as a neighbour is better; for each of them lambda is found on a grid
/// of half decades, then of eighths, from one eigendecomposition. About five eigendecompositions of m x m.
/// weights: m, or empty.
KernelChoice choose_kernel(const KernelWish& wish, const arma::mat& X, const arma::mat& Y, const arma::vec& weights);

}  // namespace elmx
