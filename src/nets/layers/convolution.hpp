#pragma once

#include "features/activation.hpp"
#include "nets/layers/layer.hpp"
#include "nets/layers/patches.hpp"

namespace elmx {

struct ConvolutionOptions {
  uword channels = 1;  ///< channels of the output
  uword kernel_rows = 3, kernel_cols = 3;
  uword stride = 1;
  uword padding = 0;
};

/// Convolution (cross-correlation) Y = f(X Theta) (3) to (6), where X: U V M x (C H W + 1) has one row per
/// sample and output position. X is never stored: blocks of rows are gathered in the cache and multiplied.
///
/// The gradient with respect to the input is a convolution of dZ with the rotated kernel. D is summed over a
/// fixed number of parts of the positions, in order, so it has the same bits for any number of threads. Cost:
/// 2 U V M q r flops forward, twice as many backward.
template <class T>
class Convolution final : public Layer<T> {
 public:
  /// Takes parameter.Theta: (C_in H W + 1) x C_out. Throws std::logic_error if the kernel does not fit the
  /// padded image.
  Convolution(const Shape& input, const ConvolutionOptions& options, Parameter<T> parameter, Activation activation);

  Shape output() const override { return geometry_.output; }
  View<const T> forward(View<const T> X, uword samples) override;
  void backward(View<T> dY, View<T>* dX) override;
  std::vector<Parameter<T>*> parameters() override { return {&parameter_}; }

 private:
  void gradient(const T* X, const T* dZ);

  PatchGeometry geometry_;  // from the input to the output
  PatchGeometry turned_;    // from dZ to dX
  Parameter<T> parameter_;
  Activation activation_;
  std::optional<View<const T>> X_;
  uword samples_ = 0;
  arma::Mat<T> Y_;
};

}  // namespace elmx
