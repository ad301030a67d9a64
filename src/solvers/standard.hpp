#pragma once

#include "solvers/ridge_growth.hpp"

namespace elmx {

/// The standard ELM, eq. (10), solved anew at every size: W = (H'H + lambda I)^-1 H'T by Cholesky.
///
/// A is the type of the Gram matrix and of the solve; it may be wider than that of H (precision "mixed").
/// Cost: N l^2 + l^3 / 3 + 2 N l c flops a solve.
template <class A, class T>
class Standard final : public RidgeGrowth<T> {
 public:
  using RidgeGrowth<T>::RidgeGrowth;

  [[nodiscard]] Status start(uword l) override;
  [[nodiscard]] Status grow(uword q) override { return start(this->l_ + q); }
  arma::Mat<T> weights() const override { return arma::conv_to<arma::Mat<T>>::from(W_); }
  void assign(const RidgeGrowth<T>& other) override { *this = static_cast<const Standard&>(other); }
  void apply_inverse(uword first, View<T> X) const override;

  /// l x c at the precision of the solve.
  const arma::Mat<A>& solution() const { return W_; }

  /// 1-norm condition estimate of H'H + lambda I at the last size.
  double condition() const { return condition_estimate_; }

 private:
  arma::Mat<A> R_;  // R'R = H'H + lambda I, upper triangle
  arma::Mat<A> W_;
  double condition_estimate_ = 1;
};

}  // namespace elmx
