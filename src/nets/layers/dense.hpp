#pragma once

#include "features/activation.hpp"
#include "nets/layers/layer.hpp"

namespace elmx {

/// Fully connected layer, Y = f(X Theta) (2), applied to each step of a signal. f is linear, relu, tanh or
/// sigmoid. Cost: 2 B q r flops forward, twice as many backward.
template <class T>
class Dense final : public Layer<T> {
 public:
  /// Takes parameter.Theta: (features of the input + 1) x nodes.
  Dense(const Shape& input, Parameter<T> parameter, Activation activation);

  Shape output() const override { return {input_.steps, parameter_.outputs()}; }
  View<const T> forward(View<const T> X, uword samples) override;
  void backward(View<T> dY, View<T>* dX) override;
  std::vector<Parameter<T>*> parameters() override { return {&parameter_}; }

 private:
  Shape input_;
  Parameter<T> parameter_;
  Activation activation_;
  std::optional<View<const T>> X_;
  arma::Mat<T> Y_;
};

}  // namespace elmx
