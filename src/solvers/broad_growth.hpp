#pragma once

#include "solvers/leverages.hpp"
#include "solvers/ridge_products.hpp"

namespace elmx {

/// One algorithm of the incremental broad learning system at one ridge parameter.
///
/// After every grow that returns ok, weights() belongs to all nodes that `products` has seen. On any other status the
/// state is as it was and the growth is over: the caller has no way back from `products`.
template <class T>
class BroadGrowth : public HeldInverse<T> {
 public:
  explicit BroadGrowth(double lambda) : lambda_(static_cast<T>(lambda)) {}

  /// Adds the nodes that `products` took in last. The first call solves for the initial network.
  [[nodiscard]] virtual Status grow(const RidgeProducts<T>& products) = 0;

  /// (k + q) x c.
  const arma::Mat<T>& weights() const { return W_; }

  /// Which way the last step was taken, where the algorithm has several; else "".
  virtual std::string_view method() const { return ""; }

 protected:
  /// W = [W - D B Y; B Y], eqs. (24), (61), (66).   D: k x q, BY: q x c.
  void append_weights(const arma::Mat<T>& D, const arma::Mat<T>& BY);

  T lambda_;
  arma::Mat<T> W_;
};

/// How a generalised-inverse solution (Orig, Exg-E) and a ridge solution (R-Inv, Chol-2) differ: in the matrix that is inverted.
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
