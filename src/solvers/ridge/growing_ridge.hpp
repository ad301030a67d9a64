#pragma once

#include <string_view>

#include "solvers/ridge/leverages.hpp"
#include "solvers/ridge/ridge_products.hpp"

namespace elmx {

/// Ridge regression that grows by columns of A, at one ridge parameter.
///
///     minimise over W    ||A W - Y||_F^2 + lambda ||W||_F^2,    A = the columns that `products` has seen
///
/// After every grow that returns ok, weights() is the solution for all nodes so far (of orig and
/// exg-e that of another problem, see Regularise). On any other status the growth is over: the
/// caller has no way back from `products`, and weights() are void or those of the step before.
template <class T>
class GrowingRidge : public HeldInverse<T> {
 public:
  /// Adds the nodes that `products` took in last. The first call solves for the first nodes directly.
  [[nodiscard]] virtual Status grow(const RidgeProducts<T>& products) = 0;

  /// (k + q) x c.
  virtual arma::Mat<T> weights() const = 0;

  /// Which way the last step was taken, where the algorithm has several; else "".
  virtual std::string_view method() const { return ""; }
};

/// A solver whose W grows by rows, whatever it keeps of R^-1.
template <class T>
class BlockGrowth : public GrowingRidge<T> {
 public:
  explicit BlockGrowth(double lambda) : lambda_(static_cast<T>(lambda)) {}

  arma::Mat<T> weights() const override { return W_; }

 protected:
  /// W = [W - D B Y; B Y], eqs. (24), (61), (66).   D: k x q, BY: q x c.
  void append_weights(const arma::Mat<T>& D, const arma::Mat<T>& BY);

  T lambda_;
  arma::Mat<T> W_;
};

/// How a generalised-inverse solution (Orig, Exg-E) and a ridge solution (R-Inv, Chol-2) differ: in the matrix that is
/// inverted.
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
