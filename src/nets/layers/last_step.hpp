#pragma once

#include "nets/layers/layer.hpp"

namespace elmx {

/// Returns the last step of a sequence, for many-to-one networks (t_0 = T).
template <class T>
class LastStep final : public Layer<T> {
 public:
  explicit LastStep(const Shape& input) : input_(input) {}

  Shape output() const override { return {1, input_.channels, input_.rows, input_.cols}; }

  View<const T> forward(View<const T> X, uword samples) override { return last(X, samples); }

  void backward(View<T> dY, View<T>* dX) override {
    if (!dX) return;
    for (uword j = 0; j < dX->cols; ++j) std::fill_n(dX->data + j * dX->ld, dX->rows, T(0));
    const View<T> end = last(*dX, dY.rows);
    for (uword j = 0; j < dX->cols; ++j) std::copy_n(dY.data + j * dY.ld, dY.rows, end.data + j * end.ld);
  }

 private:
  template <class U>
  static View<U> last(View<U> X, uword samples) {
    return X.block(X.rows - samples, 0, samples, X.cols);
  }

  Shape input_;
};

}  // namespace elmx
