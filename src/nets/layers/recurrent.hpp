#pragma once

#include "features/activation.hpp"
#include "nets/layers/layer.hpp"
#include "nets/layers/states.hpp"

namespace elmx {

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

}  // namespace elmx
