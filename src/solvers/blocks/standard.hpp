#pragma once

#include "solvers/ridge/growing_ridge.hpp"
#include "solvers/ridge/ridge_targets.hpp"

namespace elmx {

/// The standard ELM, eq. (10), solved anew at every size: W = (A'A + lambda I)^-1 A'Y by Cholesky.
///
/// G is the number type of the Gram matrix and of the solve, which may be wider than T (precision "mixed").
/// Cost: N n^2 + n^3 / 3 + 2 N n c flops per solve, n = k + q. Only A of `products` is used.
template <class G, class T>
class Standard final : public GrowingRidge<T> {
 public:
  Standard(double lambda, RidgeTargets<T> targets) : lambda_(lambda), targets_(std::move(targets)) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return arma::conv_to<arma::Mat<T>>::from(W_); }
  void apply_inverse(uword first, View<T> X) const override;

  arma::mat wide_weights() const override { return arma::conv_to<arma::mat>::from(W_); }

  /// Returns an estimate of the 1-norm condition number of A'A + lambda I at the last size.
  double condition() const { return condition_estimate_; }

 private:
  double lambda_;
  RidgeTargets<T> targets_;
  arma::Mat<G> R_;  // R'R = A'A + lambda I, upper triangle
  arma::Mat<G> W_;
  double condition_estimate_ = 1;
};

}  // namespace elmx
