#pragma once

#include "solvers/kernel/kernel_matrix.hpp"

namespace elmx {

/// The factor R with R'R = S K S + lambda I in double, in the upper triangle of an n x n array.
class DenseKernelFactor {
 public:
  [[nodiscard]] Status factorise(const KernelMatrix<double>& K, double lambda);

  /// Computes X = (R'R)^-1 X.   2 n^2 c flops.
  void solve(View<double> X) const;
  /// Returns the diagonal of (R'R)^-1 from row `first` on. m^3 / 3 flops for the last m rows, and m x 512
  /// numbers.
  arma::vec inverse_diagonal(uword first) const;
  double trace() const { return trace_; }  ///< trace of S K S

 private:
  arma::mat R_;
  double trace_ = 0;
};

/// The factor in single precision, in panels of half the size. The system is scaled to a unit diagonal before
/// it is rounded: R'R = D^-1 (S K S + lambda I) D^-1 + shift I.
class PanelKernelFactor {
 public:
  /// may_shift: if a pivot is not positive, the diagonal gets a shift of u, 4 u, 16 u, ... u = 2^-24. The
  /// factor is then only good enough for a preconditioner.
  [[nodiscard]] Status factorise(const KernelMatrix<double>& K, const arma::vec& scale, double lambda, bool may_shift);

  void solve(View<double> X) const;
  arma::vec inverse_diagonal(uword first) const;
  double trace() const { return trace_; }

 private:
  static constexpr uword kPanel = 512;

  UpperPanels R_{kPanel};
  arma::vec unit_;  // diag(D)
  double trace_ = 0;
};

}  // namespace elmx
