#pragma once

#include <memory>
#include <vector>

#include "nets/layers/layer.hpp"

namespace elmx {

/// A sequence of layers.
template <class T>
class Network {
 public:
  explicit Network(const Shape& input) : input_(input) {}

  /// Appends a layer, whose input is `output()`.
  void add(std::unique_ptr<Layer<T>> layer) { layers_.push_back(std::move(layer)); }

  const Shape& input() const { return input_; }
  Shape output() const { return layers_.empty() ? input_ : layers_.back()->output(); }

  /// Returns the outputs for a signal X of M samples, which must live until `backward`: (steps
  /// M) x (outputs + 1), last column 1.
  View<const T> forward(View<const T> X, uword samples);

  /// Computes the gradients of all parameters from dZ, the gradient with respect to the outputs (steps
  /// M x outputs; overwritten). Call it after `forward`.
  void backward(View<T> dZ);

  /// Returns the parameters, layer by layer.
  std::vector<Parameter<T>*> parameters();

 private:
  Shape input_;
  std::vector<std::unique_ptr<Layer<T>>> layers_;
  uword samples_ = 0;
  std::vector<arma::Mat<T>> gradients_;  // with respect to the input of layer l
};

}  // namespace elmx
