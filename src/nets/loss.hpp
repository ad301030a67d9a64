#pragma once

#include "linalg/view.hpp"

namespace elmx {

enum class LossKind {
  mse,  ///< J = 1/(2 M) sum over t ||Z_t - Z*_t||_F^2 (57), (87)
  /// the mean over samples, steps and outputs of (z - z*)^2, as in deep-learning libraries
  mse_mean,
  cross_entropy,  ///< J = -1/M sum over t of the logarithms of the softmax outputs of the true classes
};

/// A loss of the outputs Z ((steps M) x c, before the softmax) for the targets Z* (one-hot for cross
/// entropy). Sums are in double.
template <class T>
class Loss {
 public:
  explicit Loss(LossKind kind) : kind_(kind) {}

  /// Returns J and sets dZ to its gradient with respect to Z.
  double evaluate(View<const T> Z, View<const T> targets, uword samples, View<T> dZ) const;

  /// Turns Z into the reported outputs: Z itself, or the softmax of its rows.
  void to_outputs(View<T> Z) const;

 private:
  double squares(View<const T> Z, View<const T> targets, double weight, View<T> dZ) const;

  LossKind kind_;
};

}  // namespace elmx
