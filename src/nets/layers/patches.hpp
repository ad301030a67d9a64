#pragma once

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

}  // namespace elmx
