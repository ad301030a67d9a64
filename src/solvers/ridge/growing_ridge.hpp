#pragma once

#include <optional>
#include <string_view>

#include "solvers/ridge/leverages.hpp"
#include "solvers/ridge/ridge_choice.hpp"
#include "solvers/ridge/ridge_products.hpp"

namespace elmx {

/// The precision of the Gram matrix and of the solution.
enum class Arithmetic {
  of_samples,  ///< the type of A
  wide_gram,   ///< both in double
  mixed        ///< the Gram matrix and its factor in single, the solution refined to double
};

/// The effort of a step with a Gram matrix in single precision and weights in double.
struct MixedStep {
  uword products = 0;  ///< passes over the samples that refined the weights
  double shift = 0;    ///< added to the unit diagonal before the factorisation, in units of 2^-24
};

/// Ridge regression that grows by columns of A, at one ridge parameter.
///
///     minimise over W    ||A W - Y||_F^2 + lambda ||W||_F^2,    A = the columns that `products` has seen
///
/// After every grow that returns ok, weights() is the solution for all nodes so far (orig and exg-e solve
/// another problem, see Regularise). After any other status the growth is over: `products` cannot be rolled
/// back, and weights() is undefined or belongs to the step before.
template <class T>
class GrowingRidge : public InverseOperator<T> {
 public:
  /// Adds the nodes that `products` has added last. The first call solves for the first nodes directly.
  [[nodiscard]] virtual Status grow(const RidgeProducts<T>& products) = 0;

  /// Returns the weights: (k + q) x c.
  virtual arma::Mat<T> weights() const = 0;

  /// Returns the weights in the precision of the solution, which may be wider than T.
  virtual arma::mat wide_weights() const { return arma::conv_to<arma::mat>::from(weights()); }

  virtual std::optional<MixedStep> mixed_step() const { return std::nullopt; }

  /// Returns the ridge parameter of the last step if the solver has chosen it.
  virtual std::optional<RidgeChoice> choice() const { return std::nullopt; }

  /// Computes R^-1 in double for leave-one-out errors if the available inverse is less exact than the
  /// weights: N k^2 flops for all ridge parameters and k^3 / 3 for each. Returns null if the available
  /// inverse is exact enough, if rounding has left R indefinite, or if memory is short.
  virtual const InverseOperator<double>* exact_inverse() { return nullptr; }

  /// Returns the method of the last step if the algorithm has several, otherwise "".
  virtual std::string_view method() const { return ""; }
};

/// A solver whose W grows by rows.
template <class T>
class BlockGrowth : public GrowingRidge<T> {
 public:
  explicit BlockGrowth(double lambda) : lambda_(static_cast<T>(lambda)) {}

  arma::Mat<T> weights() const override { return W_; }

 protected:
  /// Sets W = [W - D B Y; B Y], eqs. (24), (61), (66).   D: k x q, BY: q x c.
  void append_weights(const arma::Mat<T>& D, const arma::Mat<T>& BY);

  T lambda_;
  arma::Mat<T> W_;
};

/// The matrix that is inverted, which distinguishes generalised-inverse solutions (Orig, Exg-E) from ridge
/// solutions (R-Inv, Chol-2):
///
///     generalised inverse, (21a), (32a)     C'C + lambda I
///     ridge, (57), (68)                     C'C + lambda D'D + lambda I
///
/// M: q x q, the upper triangle of C'C on entry.   D: k x q.
template <class T>
using Regularise = void (*)(T lambda, const arma::Mat<T>& D, arma::Mat<T>& M);

template <class T>
void generalised_inverse(T lambda, const arma::Mat<T>& D, arma::Mat<T>& M);

template <class T>
void ridge_inverse(T lambda, const arma::Mat<T>& D, arma::Mat<T>& M);

}  // namespace elmx
