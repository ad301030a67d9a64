#pragma once

#include <cstdint>

#include "nets/layers/layer.hpp"

namespace elmx {

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
