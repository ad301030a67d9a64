#pragma once

#include <algorithm>

#include "features/activation.hpp"
#include "nets/layers/layer.hpp"

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

/// Recurrent layer (7):  Y_t = f([Y^in_t, 1] Theta^w + [Y_{t-1}, 1] Theta^v),  Y_0 = 0. Theta^w:
/// (inputs + 1) x N, Theta^v: (N + 1) x N, each with a bias row. Products without Y_{t-1} take all steps at
/// once. Memory: (T + 1) M N. Cost: 2 T M (inputs + N + 2) N flops forward, twice as many backward.
template <class T>
class Recurrent final : public Layer<T> {
 public:
  Recurrent(const Shape& input, Parameter<T> w, Parameter<T> v, Activation activation);

  Shape output() const override { return {input_.steps, v_.outputs()}; }
  View<const T> forward(View<const T> X, uword samples) override;
  void backward(View<T> dY, View<T>* dX) override;
  std::vector<Parameter<T>*> parameters() override { return {&w_, &v_}; }

 private:
  Shape input_;
  Parameter<T> w_, v_;
  Activation activation_;
  std::optional<View<const T>> X_;
  uword samples_ = 0;
  States<T> Y_;
};

/// Long short-term memory layer (9) to (18). Z_t = [Y^in_t, 1] Theta^w + [Y_{t-1}, 1] Theta^v has columns in
/// four blocks of N, in the order I, G, F, O:
///
///     c_t = sigma(Z_I) tanh(Z_G) + sigma(Z_F) c_{t-1},   y_t = sigma(Z_O) tanh(c_t),   y_0 = c_0 = 0
///
/// Theta^w: (inputs + 1) x 4N, Theta^v: (N + 1) x 4N. Products without Y_{t-1} take all steps at once.
/// Memory: 7 T M N. Cost: 8 T M (inputs + N + 2) N flops forward, twice as many backward.
template <class T>
class Lstm final : public Layer<T> {
 public:
  Lstm(const Shape& input, Parameter<T> w, Parameter<T> v);

  Shape output() const override { return {input_.steps, v_.outputs() / 4}; }
  View<const T> forward(View<const T> X, uword samples) override;
  void backward(View<T> dY, View<T>* dX) override;
  std::vector<Parameter<T>*> parameters() override { return {&w_, &v_}; }

 private:
  Shape input_;
  Parameter<T> w_, v_;
  std::optional<View<const T>> X_;
  uword samples_ = 0;
  States<T> Y_;
  arma::Mat<T> Z_;      // T M x 4N: Z_t, then the gates of step t, then dZ_t
  arma::Mat<T> c_;      // (T + 1) M x N: c_0 = 0, c_1, ...
  arma::Mat<T> kappa_;  // T M x N: tanh(c_t)
};

}  // namespace elmx
