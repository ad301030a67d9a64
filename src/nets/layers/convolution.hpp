#pragma once

#include <cstdint>

#include "features/activation.hpp"
#include "nets/layers/layer.hpp"

namespace elmx {

/// The geometry of a convolution: output position (u, v) and kernel entry (h, w) use the input position
///
///     ((u stride + h - padding_rows) / dilation, (v stride + w - padding_cols) / dilation)
///
/// (0-based), and 0 if there is no such position. dilation > 1 spreads the images out, for the gradient of a
/// strided convolution; the padding for a gradient may be negative.
struct PatchGeometry {
  Shape input;
  Shape output;  ///< rows and cols are the output positions
  long kernel_rows, kernel_cols;
  long stride = 1;
  long padding_rows = 0, padding_cols = 0;
  long dilation = 1;

  uword positions() const { return output.rows * output.cols; }
  /// Returns the length of a patch, whose columns are (c H + h) W + w.
  uword patch() const { return input.channels * static_cast<uword>(kernel_rows * kernel_cols); }
};

/// Gathers the rows of the input matrix of a convolution (3) for the output positions
/// first .. first + count - 1 of all M samples, sample fastest, without the column of ones.   X: (M, features
/// of the input), out: count M x patch, one block.
template <class T>
void gather_patches(const PatchGeometry& geometry, const T* X, uword samples, uword first, uword count, T* out);

/// Computes the mean of all rows of that matrix (72) without forming it: the mean image first, then
/// two-dimensional prefix sums if the stride is 1, else the strided window of each kernel entry. Positions
/// are summed in double. out: patch. Cost: M C U V + C H W operations, with a stride M C U V + C H W (output
/// positions), instead of M C H W (output positions).
template <class T>
void average_patch(const PatchGeometry& geometry, const T* X, uword samples, T* out);

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

struct MaxPoolOptions {
  uword rows = 2, cols = 2;  ///< size of the window
  uword stride = 2;
};

/// The largest entry of each window of each channel (the first of equal entries). Positions beyond the last
/// whole window are ignored.
template <class T>
class MaxPool final : public Layer<T> {
 public:
  MaxPool(const Shape& input, const MaxPoolOptions& options);

  Shape output() const override { return output_; }
  View<const T> forward(View<const T> X, uword samples) override;
  void backward(View<T> dY, View<T>* dX) override;

 private:
  /// Returns the offset in X of entry k of the window of output (c, u, v).
  uword entry(uword c, uword u, uword v, uword k) const;

  Shape input_, output_;
  MaxPoolOptions options_;
  uword samples_ = 0;
  arma::Mat<T> Y_;
  std::vector<std::uint16_t> largest_;  // for each entry of Y, the entry of its window
};

}  // namespace elmx
