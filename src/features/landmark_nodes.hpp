#pragma once

#include "base/rng.hpp"
#include "data/transforms/inputs.hpp"
#include "linalg/kernel_function.hpp"

namespace elmx {

/// Kernel nodes at landmarks Z (m x d), which are training samples: the Nystroem features A = K(X, Z) F with
///
///     F F' = (K(Z, Z) + e I)^-1,   F upper triangular,   e = 1e-10 trace(K(Z, Z)) / m
///
/// so that A A' = K(X, Z) (K(Z, Z) + e I)^-1 K(Z, X). Column j depends on the first j landmarks only. Ridge
/// regression over A is kernel ridge regression with the functions that the landmarks span.
///
/// C. K. I. Williams, M. Seeger, "Using the Nystroem method to speed up kernel machines", NIPS 13, 2001.
class LandmarkNodes {
 public:
  /// Draws landmarks from the training samples without replacement; if `nodes` exceeds the number of samples,
  /// the samples are drawn again. The length scale of the kernel is `length` times the typical scale of up to
  /// 1000 training samples. 2 m^3 / 3 flops.
  static LandmarkNodes draw(Kernel kernel, double length, const Rng& rng, const Inputs& train, uword nodes);

  /// Z: m x d. F: m x m; its strict lower triangle is not read.
  LandmarkNodes(const KernelFunction& function, arma::mat Z, arma::mat F);

  uword count() const { return Z_.n_rows; }
  const KernelFunction& function() const { return function_; }
  const arma::mat& landmarks() const { return Z_; }
  const arma::mat& factor() const { return F_; }

  /// Computes the first A.cols columns for the samples first .. first + A.rows - 1 of `inputs`, in blocks of
  /// samples. n k entries of the kernel and n k^2 flops.
  void outputs(const Inputs& inputs, uword first, View<double> A) const;

 private:
  KernelFunction function_;
  arma::mat Z_;                  // m x d, scaled inputs
  arma::mat F_;                  // m x m
  KernelPoints<double> points_;  // Z in the form that the kernel takes
};

}  // namespace elmx
