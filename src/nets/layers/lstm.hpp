#pragma once

#include "nets/layers/layer.hpp"
#include "nets/layers/states.hpp"

namespace elmx {

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
