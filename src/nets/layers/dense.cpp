#include "nets/layers/dense.hpp"

#include "nets/layers/elementwise.hpp"

namespace elmx {

template <class T>
Dense<T>::Dense(const Shape& input, Parameter<T> parameter, Activation activation)
    : input_(input), parameter_(std::move(parameter)), activation_(activation) {
  expects(parameter_.inputs() == input_.features() + 1, "Dense: Theta has a row for each input and one for the bias");
  parameter_.steps = input_.steps;
}

template <class T>
View<const T> Dense<T>::forward(View<const T> X, uword) {
  X_ = X;
  const uword nodes = parameter_.outputs();
  const View<T> Y = signal(Y_, X.rows, nodes);
  gemm(Op::none, Op::none, T(1), X, parameter_.Theta, T(0), Y.head_cols(nodes));
  activate_signal(activation_, Y.data, Y.rows * nodes);
  return Y;
}

template <class T>
void Dense<T>::backward(View<T> dY, View<T>* dX) {
  expects(dY.ld == dY.rows, "Dense::backward: dY is one block");
  times_slope(activation_, Y_.memptr(), dY.data, dY.rows * dY.cols);
  keep_gradient<T>(*X_, dY, parameter_);
  average_rows(*X_, parameter_);
  if (dX) gemm(Op::none, Op::transpose, T(1), dY, parameter_.weights(), T(0), *dX);
}

template class Dense<float>;
template class Dense<double>;

template <class T>
Embedding<T>::Embedding(const Shape& input, arma::Mat<T> table) : input_(input), table_(arma::trans(table)) {
  expects(input.features() == 1, "Embedding: one token a step");
}

template <class T>
View<const T> Embedding<T>::forward(View<const T> X, uword) {
  const uword E = table_.n_rows;
  const View<T> Y = signal(Y_, X.rows, E);
  for (uword i = 0; i < X.rows; ++i) {
    expects(X(i, 0) >= 0 && X(i, 0) < static_cast<T>(table_.n_cols), "Embedding: tokens are row numbers of the table");
    const T* word = table_.colptr(static_cast<uword>(X(i, 0)));
    for (uword e = 0; e < E; ++e) Y(i, e) = word[e];
  }
  return Y;
}

template class Embedding<float>;
template class Embedding<double>;

}  // namespace elmx
