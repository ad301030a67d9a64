#pragma once

#include <cmath>

#include "linalg/blas.hpp"

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

}  // namespace elmx
