#pragma once

#include "solvers/blocks/direct_ridge.hpp"
#include "solvers/mixed/refinement.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// A ridge solution in double from a Gram matrix and a factor in single: see CentredGram, SingleFactor, refine.
/// Where the refinement does not reach the rounding of double in about half of the products that double precision
/// would pay for, A'A is formed and factorised in double.
///
/// Cost of a step beyond that of the Gram matrix: the factor, in single, and 4 N n c flops in double for each product.
template <class T>
class MixedRidge final : public GrowingRidge<T> {
 public:
  /// gram: extended by its owner before each step.
  MixedRidge(double lambda, CentredGram<T>& gram, const FactorForm& form)
      : lambda_(lambda), gram_(gram), form_(form), factor_(form.kind, lambda) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return arma::conv_to<arma::Mat<T>>::from(W_); }
  arma::mat wide_weights() const override { return W_; }
  std::string_view method() const override { return method_; }
  std::optional<MixedStep> mixed_step() const override { return step_; }
  const HeldInverse<double>* exact_inverse() override;

  /// By the factor in single, or by that in double where it was needed, until another ridge parameter is factorised.
  void apply_inverse(uword first, View<T> X) const override;

 private:
  bool refined(bool anew);
  [[nodiscard]] Status solve_in_double();
  [[nodiscard]] Status factorise_in_double();

  double lambda_;
  CentredGram<T>& gram_;
  FactorForm form_;
  SingleFactor factor_;
  std::optional<DirectRidge<double>> in_double_;  // once it was needed
  arma::mat W_;
  MixedStep step_;
  std::string_view method_;
};

}  // namespace elmx
