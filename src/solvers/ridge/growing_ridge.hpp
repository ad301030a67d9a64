#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "solvers/ridge/leverages.hpp"
#include "solvers/ridge/ridge_choice.hpp"
#include "solvers/ridge/ridge_products.hpp"

namespace elmx {

/// What the Gram matrix and the solution are in.
enum class Arithmetic {
  of_samples,  ///< the type of A
  wide_gram,   ///< both in double
  mixed        ///< the Gram matrix and its factor in single, the solution refined to double
};

/// Which form of an algorithm is meant, where it has several.
struct AlgorithmForms {
  std::string chol1 = "recursive";     ///< how chol-1 forms its factors: "recursive", "cholesky" or "inverse_ldl"
  std::string chol2 = "gram";          ///< of chol-2: "residual" or "gram"
  std::string products = "symmetric";  ///< of algorithms that add single nodes: "symmetric" or "full"
};

/// What a step took whose Gram matrix is in single precision and whose weights are in double.
struct MixedStep {
  uword products = 0;  ///< passes over the samples that refined the weights
  double shift = 0;    ///< added to the units of the diagonal that was factorised, in units of 2^-24
};

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

  /// The same at the precision of the solution, which may be wider than that of A.
  virtual arma::mat wide_weights() const { return arma::conv_to<arma::mat>::from(weights()); }

  virtual std::optional<MixedStep> mixed_step() const { return std::nullopt; }

  /// The ridge parameter of the last step, where the solver has chosen it.
  virtual std::optional<RidgeChoice> choice() const { return std::nullopt; }

  /// R^-1 in double, where the inverse at hand is less exact than the weights: what leave-one-out errors
  /// need. Computed here, N k^2 flops for all ridge parameters and k^3 / 3 for each; null where the inverse
  /// at hand will do, where rounding has left R indefinite, or where there is no memory for it.
  virtual const HeldInverse<double>* exact_inverse() { return nullptr; }

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

/// How a generalised-inverse solution (Orig, Exg-E) and a ridge solution (R-Inv, Chol-2) differ: in the
/// matrix that is inverted.
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
