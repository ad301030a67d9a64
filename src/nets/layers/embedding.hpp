#pragma once

#include "nets/layers/layer.hpp"

namespace elmx {

/// Fixed vectors of tokens. table: words x dimension. The input has one feature per step, the number of a
/// token.
template <class T>
class Embedding final : public Layer<T> {
 public:
  Embedding(const Shape& input, arma::Mat<T> table);

  Shape output() const override { return {input_.steps, table_.n_rows}; }
  View<const T> forward(View<const T> X, uword samples) override;
  /// Does nothing: there is nothing to train, and tokens have no gradient, so this must be the first layer.
  void backward(View<T>, View<T>* dX) override { expects(!dX, "Embedding: the first layer"); }

 private:
  Shape input_;
  arma::Mat<T> table_;  // dimension x words: one column per word
  arma::Mat<T> Y_;
};

}  // namespace elmx
