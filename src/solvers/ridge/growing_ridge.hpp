#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "linalg/blas.hpp"
#include "solvers/ridge/leverages.hpp"
#include "solvers/ridge/ridge_choice.hpp"
#include "solvers/ridge/ridge_products.hpp"

namespace elmx {

/// The targets Y (N x c) of a ridge problem over samples in T: rounded to T for weights in T, exact for
/// weights in double. Both are the same matrix if T is double.
template <class T>
class RidgeTargets {
 public:
  /// Takes targets that T holds exactly. Y must outlive the object.
  RidgeTargets(View<const T> Y) : rounded_(Y), exact_(nullptr, 0, 0, 0) {  // NOLINT: meant to convert
    if constexpr (std::same_as<T, double>) {
      exact_ = Y;
    } else {
      widened_ = std::make_shared<const arma::mat>(arma::conv_to<arma::mat>::from(Y.copy()));
      exact_ = View<const double>(*widened_);
    }
  }

  /// rounded: `exact` rounded to T. Both must outlive the object.
  RidgeTargets(View<const T> rounded, View<const double> exact) : rounded_(rounded), exact_(exact) {}

  /// Returns the targets for weights in W: T or double.
  template <class W>
  View<const W> in() const {
    if constexpr (std::same_as<W, T>) {
      return rounded_;
    } else {
      return exact_;
    }
  }

  uword cols() const { return rounded_.cols; }

  /// Returns the targets of some consecutive samples.
  RidgeTargets rows(uword first, uword count) const {
    RidgeTargets some = *this;
    some.rounded_ = rounded_.block(first, 0, count, cols());
    some.exact_ = exact_.block(first, 0, count, cols());
    return some;
  }

 private:
  View<const T> rounded_;
  View<const double> exact_;
  std::shared_ptr<const arma::mat> widened_ = {};  // the data of `exact_` if the caller has none
};

/// The factor that replaces an algorithm's own code in mixed precision or over ranks.
struct FactorForm {
  enum class Kind { cholesky, inverse, inverse_ldl };

  Kind kind;            ///< R'R = A'A + lambda I; F F' or (over ranks only) L D L' = its inverse
  bool anew;            ///< factorise anew at every step
  bool anew_if_needed;  ///< factorise anew if the grown factor fails
};

/// The precision of the Gram matrix and of the solution.
enum class Arithmetic {
  of_samples,  ///< the type of A
  wide_gram,   ///< both in double
  mixed        ///< the Gram matrix and its factor in single, the solution refined to double
};

template <class T>
class SharedSpectrum;

/// The problem from which a solver is made.
template <class T>
struct GrowingProblem {
  const TallMatrix<T>& A;  ///< all nodes that will be added
  RidgeTargets<T> targets;
  double lambda = 0;
  Arithmetic arithmetic = Arithmetic::of_samples;
  std::optional<RidgeAim> aim = {};  ///< chooses lambda if the algorithm can
  // Shared by all ridge parameters of a sweep; null if the algorithm does not use them:
  GramMatrix<T>* gram = nullptr;
  const SharedSpectrum<T>* spectrum = nullptr;
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
/// another problem, see Inverse). After any other status the growth is over: `products` cannot be rolled
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

/// The solution that a recursion computes: the generalised inverse (Orig, Exg-E) or the ridge solution
/// (R-Inv, Chol-2).
enum class Inverse { generalised, ridge };

/// A solver whose W grows by rows.
template <class T>
class BlockGrowth : public GrowingRidge<T> {
 public:
  explicit BlockGrowth(double lambda) : lambda_(static_cast<T>(lambda)) {}

  arma::Mat<T> weights() const override { return W_; }

 protected:
  /// Sets W = [W - D B Y; B Y], eqs. (24), (61), (66).   D: k x q, BY: q x c.
  void append_weights(const arma::Mat<T>& D, const arma::Mat<T>& BY) {
    if (!W_.is_empty()) gemm(Op::none, Op::none, T(-1), D, BY, T(1), View<T>(W_));
    W_ = arma::join_cols(W_, BY);
  }

  /// Computes the matrix that is inverted from the upper triangle M of C'C.   M: q x q, D: k x q.
  ///
  ///     generalised inverse, (21a), (32a)     C'C + lambda I
  ///     ridge, (57), (68)                     C'C + lambda D'D + lambda I
  void regularise(Inverse inverse, const arma::Mat<T>& D, arma::Mat<T>& M) const {
    if (inverse == Inverse::ridge && !D.is_empty()) syrk(lambda_, View<const T>(D), T(1), View<T>(M));
    M.diag() += lambda_;
  }

  T lambda_;
  arma::Mat<T> W_;
};

}  // namespace elmx
