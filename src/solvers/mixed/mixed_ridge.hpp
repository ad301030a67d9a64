#pragma once

#include <algorithm>

#include "solvers/mixed/refinement.hpp"
#include "solvers/mixed/single_factor.hpp"
#include "solvers/ridge/factor_form.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// A ridge solution in double from a Gram matrix and a factor in single: see CentredGram, SingleFactor,
/// refine. If the refinement does not reach the rounding of double within about half of the products that are
/// worth double precision, A'A is formed and factorised in double.
///
/// Cost of a step in addition to the Gram matrix: the factor, in single, and 4 N n c flops in double for each
/// product.
///
/// Gram, Factor: CentredGram and PanelFactor, or over ranks BlockCyclicCentredGram and BlockCyclicFactor.
template <class T, class Gram, class Factor>
class MixedRidge final : public GrowingRidge<T> {
 public:
  /// gram: extended by its owner before each step.
  MixedRidge(double lambda, Gram& gram, const FactorForm& form, Factor factor)
      : lambda_(lambda), gram_(gram), form_(form), factor_(std::move(factor), lambda) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>&) override {
    step_ = {};
    if (method_ == kInDouble) return solve_in_double();
    if (refined(form_.anew)) return Status::ok;
    if (form_.anew_if_needed && refined(true)) {
      method_ = "refactorised";
      return Status::ok;
    }
    if (!gram_.room_for_double()) {
      method_ = "unfinished";
      return W_.n_rows == gram_.columns() && W_.is_finite() ? Status::ok : Status::not_positive_definite;
    }
    return solve_in_double();
  }

  arma::Mat<T> weights() const override { return arma::conv_to<arma::Mat<T>>::from(W_); }
  arma::mat wide_weights() const override { return W_; }
  std::string_view method() const override { return method_; }
  std::optional<MixedStep> mixed_step() const override { return step_; }
  const InverseOperator<double>* exact_inverse() override {
    if (method_ == kInDouble) return in_double_.get();
    return gram_.room_for_double() && factorise_in_double() == Status::ok ? in_double_.get() : nullptr;
  }

  /// Applies the factor in single, or the factor in double if it was needed. Valid until another ridge
  /// parameter is factorised.
  void apply_inverse(uword first, View<T> X) const override {
    arma::mat wide = arma::conv_to<arma::mat>::from(X.copy());
    method_ == kInDouble ? in_double_->apply_inverse(first, View<double>(wide)) : factor_.apply(View<double>(wide));
    for (uword j = 0; j < X.cols; ++j) std::copy_n(wide.colptr(j), X.rows, &X(0, j));
  }

 private:
  static constexpr std::string_view kInDouble = "double";
  static constexpr uword kFewProducts = 24;  // cheap for any network whose Gram matrix is cheap

  /// Returns the limit of products. A product costs 4 N n c flops, and the Gram matrix in double N n^2 / 2
  /// more than in single, so n / (8 c) products cost as much as double precision.
  static uword most_products(uword n, uword c) { return std::max(kFewProducts, n / (16 * std::max<uword>(c, 1))); }

  bool refined(bool anew) {
    const RefinedProblem<T> problem = gram_.problem(lambda_);
    const uword most = most_products(gram_.columns(), problem.Y.cols);
    const Status status = factor_.extend(gram_, anew, most_condition(most));
    step_.shift = factor_.shift();
    if (status != Status::ok) return false;
    Refinement refinement = refine<T>(
        problem, [this](View<double> X) { factor_.apply(X); }, most);
    step_.products += refinement.products;
    method_ = refinement.conjugate ? "conjugate gradients" : "refined";
    W_ = std::move(refinement.W);
    return refinement.converged;
  }

  [[nodiscard]] Status solve_in_double() {
    method_ = kInDouble;
    if (const Status status = factorise_in_double(); status != Status::ok) return status;
    W_ = in_double_->weights();
    return Status::ok;
  }

  [[nodiscard]] Status factorise_in_double() {
    auto& wide = gram_.in_double();
    if (!in_double_) in_double_ = wide.solver(lambda_);
    return in_double_->grow(wide.products);
  }

  double lambda_;
  Gram& gram_;
  FactorForm form_;
  SingleFactor<Factor> factor_;
  std::unique_ptr<GrowingRidge<double>> in_double_;  // null until it is needed
  arma::mat W_;
  MixedStep step_;
  std::string_view method_;
};

}  // namespace elmx
