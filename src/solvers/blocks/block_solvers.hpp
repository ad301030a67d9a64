#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "linalg/tall_matrix.hpp"
#include "solvers/ridge/growing_ridge.hpp"
#include "solvers/ridge/ridge_spectrum.hpp"

namespace elmx {

class FieldVisitor;

// The algorithms that add blocks of nodes. For those without a class here, see the .cpp files.

/// The standard ELM, eq. (10), solved anew at every size: W = (A'A + lambda I)^-1 A'Y by Cholesky.
///
/// G is the number type of the Gram matrix and of the solve, which may be wider than T (precision "mixed").
/// Cost: N n^2 + n^3 / 3 + 2 N n c flops per solve, n = k + q. Only A of `products` is used.
template <class G, class T>
class Standard final : public GrowingRidge<T> {
 public:
  Standard(double lambda, RidgeTargets<T> targets) : lambda_(lambda), targets_(std::move(targets)) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return arma::conv_to<arma::Mat<T>>::from(W_); }
  void apply_inverse(uword first, View<T> X) const override;

  arma::mat wide_weights() const override { return arma::conv_to<arma::mat>::from(W_); }

  /// Returns an estimate of the 1-norm condition number of A'A + lambda I at the last size.
  double condition() const { return condition_estimate_; }

 private:
  double lambda_;
  RidgeTargets<T> targets_;
  arma::Mat<G> R_;  // R'R = A'A + lambda I, upper triangle
  arma::Mat<G> W_;
  double condition_estimate_ = 1;
};

/// D-Rdg, eqs. (6), (7): the direct ridge solution of the BLS paper. R = A'A + lambda I of all nodes is
/// factorised anew at every step.
///
/// R is bordered, not formed again: all ridge parameters of a sweep share `gram`, which its owner extends.
/// Cost of a step: n^3 / 3 flops in addition to `products`, n = k + q.
template <class T>
class DirectRidge final : public BlockGrowth<T> {
 public:
  DirectRidge(double lambda, GramMatrix<T>& gram) : BlockGrowth<T>(lambda), gram_(gram) {}
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;

  /// Valid until another ridge parameter is factorised in `gram`.
  void apply_inverse(uword first, View<T> X) const override;

 private:
  GramMatrix<T>& gram_;
};

/// Adds nodes in panels by matrix-matrix products. The weights of every intermediate size stay available.
///
/// State: the bordered Cholesky factor and the transformed targets,
///
///     R'R = A'A + lambda I      R: k x k, upper triangular
///     R'Z = A'Y                 Z: k x c
///
/// Leading blocks of R and Z belong to the smaller networks, so weights(j) = R_j^-1 Z_j for any j <= k, in
/// j^2 c flops. Cost of a panel of q nodes in addition to `products`: k^2 q + k q^2 + q^3 / 3 flops. The
/// error is as in a Cholesky factorisation of A'A + lambda I: nothing is updated recursively, so nothing
/// drifts.
template <class T>
class Panel final : public GrowingRidge<T> {
 public:
  /// capacity: the final number of nodes; outputs: c.
  Panel(double lambda, uword capacity, uword outputs)
      : lambda_(static_cast<T>(lambda)), R_(capacity, capacity, arma::fill::none), Z_(capacity, outputs) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return weights(k_); }
  void apply_inverse(uword first, View<T> X) const override;

  /// Returns the weights of the network of the first j nodes: j x c.
  arma::Mat<T> weights(uword j) const;

 private:
  T lambda_;
  arma::Mat<T> R_;  // capacity x capacity
  arma::Mat<T> Z_;  // capacity x c
  uword k_ = 0;
};

/// Makes Orig (Inverse::generalised) or R-Inv (Inverse::ridge).
template <class T>
std::unique_ptr<GrowingRidge<T>> make_pseudo_inverse(const GrowingProblem<T>& problem, Inverse inverse);

template <class T>
std::unique_ptr<GrowingRidge<T>> make_exg_e(const GrowingProblem<T>& problem);

struct Chol1Options {
  std::optional<std::string> factor = {};  ///< "recursive" (the default), "cholesky" or "inverse_ldl"

  bool recursive() const { return factor.value_or("recursive") == "recursive"; }
  void fields(FieldVisitor& field);
};

template <class T>
std::unique_ptr<GrowingRidge<T>> make_chol1(const GrowingProblem<T>& problem, const Chol1Options& options);

struct Chol2Options {
  std::string form = "gram";  ///< or "residual"

  void fields(FieldVisitor& field);
};

template <class T>
std::unique_ptr<GrowingRidge<T>> make_chol2(const GrowingProblem<T>& problem, const Chol2Options& options);

/// Makes the solver "auto", which takes the cheapest safe step.
template <class T>
std::unique_ptr<GrowingRidge<T>> make_auto(const GrowingProblem<T>& problem);

/// The decomposition, in double, of the nodes so far, which all ridge parameters of a sweep share.
template <class T>
class SharedSpectrum {
 public:
  /// A and targets must outlive this object.
  SharedSpectrum(const TallMatrix<T>& A, RidgeTargets<T> targets) : A_(A), targets_(std::move(targets)) {}

  SharedSpectrum(const SharedSpectrum&) = delete;  // the decomposition refers to it
  SharedSpectrum& operator=(const SharedSpectrum&) = delete;

  /// Decomposes the first k columns.
  void restart(uword k) {
    status_ = spectrum_.decompose(in_doubles(A_, wide_), targets_.template in<double>(), k, true);
  }

  Status status() const { return status_; }
  const RidgeSpectrum& spectrum() const { return spectrum_; }

 private:
  const TallMatrix<T>& A_;
  std::optional<WidenedMatrix> wide_;  // only for singles
  RidgeTargets<T> targets_;
  RidgeSpectrum spectrum_;
  Status status_ = Status::ok;
};

/// The ridge solution from the spectrum of all nodes, which is decomposed anew at every size. lambda is
/// given, or chosen at each size. Weights are computed in double for any type of A.
template <class T>
class PathRidge final : public GrowingRidge<T> {
 public:
  PathRidge(double lambda, const std::optional<RidgeAim>& aim, const SharedSpectrum<T>& shared)
      : lambda_(lambda), aim_(aim), shared_(shared) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>&) override {
    if (shared_.status() != Status::ok) return shared_.status();
    if (aim_) {
      choice_ = shared_.spectrum().choose(*aim_);
      lambda_ = choice_->lambda;
    }
    if (!shared_.spectrum().determined(lambda_)) return Status::not_positive_definite;
    W_ = shared_.spectrum().weights(lambda_);
    return W_.is_finite() ? Status::ok : Status::not_finite;
  }
  arma::Mat<T> weights() const override { return arma::conv_to<arma::Mat<T>>::from(W_); }
  arma::mat wide_weights() const override { return W_; }
  void apply_inverse(uword first, View<T> X) const override {
    arma::mat wide = arma::conv_to<arma::mat>::from(X.copy());
    shared_.spectrum().apply_inverse(lambda_, first, View<double>(wide));
    for (uword j = 0; j < X.cols; ++j) std::copy_n(wide.colptr(j), X.rows, X.data + j * X.ld);
  }
  bool at_samples_only() const override { return shared_.spectrum().dual(); }
  std::optional<RidgeChoice> choice() const override { return choice_; }

 private:
  double lambda_;
  std::optional<RidgeAim> aim_;
  const SharedSpectrum<T>& shared_;
  std::optional<RidgeChoice> choice_;
  arma::mat W_;  // k x c
};

}  // namespace elmx
