#pragma once

#include <algorithm>
#include <cmath>

#include "base/machine/machine.hpp"
#include "linalg/blas.hpp"
#include "solvers/mixed/refinement.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// An approximate inverse of A'A + lambda I from a factor in single precision,
///
///     P = D M D + N m m',   M = D^-1 (G + lambda I) D^-1 + shift,   D^2 = diag(G) + lambda
///
/// The mean enters exactly, by Sherman and Morrison in double:
///
///     P^-1 x = z - y (N m'z) / (1 + N m'y),   z = (D M D)^-1 x,   y = (D M D)^-1 m
///
/// Factor: PanelFactor or BlockCyclicFactor, which holds the factor of M and applies M^-1.
template <class Factor>
class SingleFactor {
 public:
  SingleFactor(Factor factor, double lambda) : factor_(std::move(factor)), lambda_(lambda) {}

  /// Adds the last step of `gram`, or if anew all columns of `gram`, which must have kept them. If a pivot is
  /// not positive, the unit diagonal gets a shift of u, 4 u, 16 u, ... (u = 2^-24), starting from the shift
  /// of an earlier factor of the same Gram matrix. Returns not_positive_definite if no shift within
  /// most_condition is enough.
  template <class Gram>
  [[nodiscard]] Status extend(Gram& gram, bool anew, double most_condition) {
    d_ = arma::sqrt(gram.diagonal() + lambda_);
    d_.transform([](double d) { return d > 0 ? d : 1; });
    m_ = gram.mean();
    samples_ = gram.samples();
    factor_.extend(gram, anew);
    for (shift_ = gram.shift().first(); condition() <= most_condition; shift_ = shift_ == 0 ? 1 : 4 * shift_) {
      if (factor_.factorise(gram, 1 / d_, 1 + shift_ * kUnit) != Status::ok) continue;
      gram.shift().needed(shift_);
      y_ = m_;
      apply_without_mean(View<double>(y_));
      if (y_.is_finite()) return Status::ok;
    }
    return Status::not_positive_definite;
  }

  /// Computes X = P^-1 X.   X: k x c.   2 k^2 c flops.
  void apply(View<double> X) const {
    apply_without_mean(X);
    const double denominator = 1 + samples_ * arma::dot(m_, y_);
    for (uword j = 0; j < X.cols; ++j) {
      const double along = samples_ * dot(m_.n_elem, m_.memptr(), &X(0, j)) / denominator;
      axpy(m_.n_elem, -along, y_.memptr(), &X(0, j));
    }
  }

  double shift() const { return shift_; }  ///< shift of the last step, in units of u

  /// Returns the bound 1 + shift u max(D^2) / lambda of the condition number of P^-1 (A'A + lambda I): if a
  /// shift was needed, A'A has eigenvalues that do not exceed it.
  double condition() const { return shift_ == 0 ? 1 : 1 + shift_ * kUnit * std::pow(d_.max(), 2) / lambda_; }

 private:
  static constexpr double kUnit = 0x1p-24;

  void apply_without_mean(View<double> X) const {
    const arma::vec inverse = 1 / d_;
    scale_rows(inverse.memptr(), X);
    factor_.apply(X);
    scale_rows(inverse.memptr(), X);
  }

  Factor factor_;
  double lambda_;
  arma::vec d_, m_, y_;
  double samples_ = 0, shift_ = 0;
};

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
    if (!room_for_double()) {
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
    return room_for_double() && factorise_in_double() == Status::ok ? in_double_.get() : nullptr;
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

  /// Returns true if every rank has memory for A'A in double.
  bool room_for_double() const {
    const Communicator& among = gram_.problem(lambda_).among;
    const auto k = static_cast<double>(gram_.columns());
    double full = 8 * k * k / among.count() > available_memory() / among.on_this_machine();
    among.sum(&full, 1);
    return full == 0;
  }

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
