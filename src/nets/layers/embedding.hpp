#pragma once

#include "nets/layers/layer.hpp"

namespace elmx {

/// Vectors of tokens that are not trained. table: words x dimension. The input has one feature a step, the
/// number of a token.
template <class T>
class Embedding final : public Layer<T> {
 public:
  Embedding(const Shape& input, arma::Mat<T> table);

  Shape output() const override { return {input_.steps, table_.n_rows}; }
  View<const T> forward(View<const T> X, uword samples) override;
  /// There is nothing to train. Tokens have no gradient: nothing before it may be trained either.
  void backward(View<T>, View<T>* dX) override { expects(!dX, "Embedding: the first layer"); }

 private:
  Shape input_;
  arma::Mat<T> table_;  // dimension x words: a word is a column
  arma::Mat<T> Y_;
};

}  // namespace elmx
