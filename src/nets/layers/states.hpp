#pragma once

#include <algorithm>

#include "nets/layers/parameter.hpp"

namespace elmx {

/// The outputs of a recurrent layer, (T + 1) M x (N + 1) with last column 1: zero rows of step 0, then the
/// rows of steps 1 .. T.
template <class T>
class States {
 public:
  void shape(uword steps, uword samples, uword nodes) {
    steps_ = steps;
    samples_ = samples;
    if (Y_.n_rows == (steps + 1) * samples && Y_.n_cols == nodes + 1) return;
    Y_.zeros((steps + 1) * samples, nodes + 1);
    Y_.col(nodes).ones();
  }

  /// Returns Y_t, t = 0 .. T, without the column of ones.
  View<T> at(uword t) { return View<T>(Y_).block(t * samples_, 0, samples_, Y_.n_cols - 1); }
  /// Returns [Y_t, 1].
  View<const T> with_one(uword t) { return View<T>(Y_).block(t * samples_, 0, samples_, Y_.n_cols); }
  /// Returns [Y_t, 1] for t = 1 .. T.
  View<T> outputs() { return View<T>(Y_).block(samples_, 0, steps_ * samples_, Y_.n_cols); }
  /// Returns [Y_{t-1}, 1] for t = 1 .. T.
  View<const T> before() { return View<T>(Y_).block(0, 0, steps_ * samples_, Y_.n_cols); }

 private:
  uword steps_ = 0, samples_ = 0;
  arma::Mat<T> Y_;
};

}  // namespace elmx
