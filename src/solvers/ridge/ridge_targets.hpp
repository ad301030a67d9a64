#pragma once

#include <memory>

#include "linalg/view.hpp"

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

}  // namespace elmx
