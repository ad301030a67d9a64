#pragma once

#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// The common part of the algorithms with a (regularised) pseudo-inverse: Orig, eqs. (20)-(24), and R-Inv,
/// (64)-(68).
///
/// State: A+ (k x l), held as its transpose N (l x k) so that nodes append columns, and W = A+ Y. Cost of a
/// step: 3 l q (2 k + q) flops, and as much memory as A. Only H of `products` is used.
template <class T>
class PseudoInverseGrowth : public BlockGrowth<T> {
 public:
  PseudoInverseGrowth(double lambda, uword samples, uword capacity, Regularise<T> regularise)
      : BlockGrowth<T>(lambda), regularise_(regularise), N_(samples, capacity, arma::fill::none) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  void apply_inverse(uword first, View<T> X) const override;
  bool at_samples_only() const override { return true; }

 private:
  /// Replaces C by B' (l x q), (21a) or (68). Returns not_positive_definite if the matrix is singular.
  [[nodiscard]] Status bordering_rows(const arma::Mat<T>& D, arma::Mat<T>& C) const;

  /// Computes B' = A+' D (I + D'D)^-1 for a C that is exactly zero, (21b).
  [[nodiscard]] Status bordering_rows_of_dependent_nodes(const arma::Mat<T>& D, arma::Mat<T>& B) const;

  Regularise<T> regularise_;
  arma::Mat<T> N_;  // l x capacity
  uword k_ = 0;
};

}  // namespace elmx
