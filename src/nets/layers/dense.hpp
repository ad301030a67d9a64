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
