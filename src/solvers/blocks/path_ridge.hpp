#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "linalg/widened.hpp"
#include "solvers/ridge/growing_ridge.hpp"
#include "solvers/ridge/ridge_spectrum.hpp"
#include "solvers/ridge/ridge_targets.hpp"

namespace elmx {

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
    if constexpr (std::same_as<T, double>) {
      status_ = spectrum_.decompose(A_, targets_.template in<double>(), k, true);
    } else {
      if (!wide_) wide_.emplace(A_);
      status_ = spectrum_.decompose(*wide_, targets_.template in<double>(), k, true);
    }
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

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return arma::conv_to<arma::Mat<T>>::from(W_); }
  arma::mat wide_weights() const override { return W_; }
  void apply_inverse(uword first, View<T> X) const override;
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
