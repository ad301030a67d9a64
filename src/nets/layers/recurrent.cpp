#include "nets/layers/recurrent.hpp"

#include "nets/layers/elementwise.hpp"

namespace elmx {

template <class T>
Recurrent<T>::Recurrent(const Shape& input, Parameter<T> w, Parameter<T> v, Activation activation)
    : input_(input), w_(std::move(w)), v_(std::move(v)), activation_(activation) {
  expects(w_.inputs() == input.features() + 1 && v_.inputs() == v_.outputs() + 1 && w_.outputs() == v_.outputs(),
          "Recurrent: Theta^w is (inputs + 1) x N, Theta^v (N + 1) x N");
  w_.steps = v_.steps = input.steps;
}

template <class T>
View<const T> Recurrent<T>::forward(View<const T> X, uword samples) {
  X_ = X;
  samples_ = samples;
  const uword N = v_.outputs();
  Y_.shape(input_.steps, samples, N);
  const View<T> Z = Y_.outputs().head_cols(N);  // holds [Y^in, 1] Theta^w until step t is computed
  gemm(Op::none, Op::none, T(1), X, w_.Theta, T(0), Z);
  for (uword t = 1; t <= input_.steps; ++t) {
    const View<T> Y = Y_.at(t);
    gemm(Op::none, Op::none, T(1), Y_.with_one(t - 1), v_.Theta, T(1), Y);
    for (uword j = 0; j < N; ++j) activate_signal(activation_, Y.data + j * Y.ld, samples);
  }
  return Y_.outputs();
}

template <class T>
void Recurrent<T>::backward(View<T> dY, View<T>* dX) {
  const uword N = v_.outputs(), M = samples_;
  for (uword t = input_.steps; t >= 1; --t) {  // turns dY of step t into dZ
    const View<T> Y = Y_.at(t), dZ = dY.block((t - 1) * M, 0, M, N);
    for (uword j = 0; j < N; ++j) times_slope(activation_, Y.data + j * Y.ld, dZ.data + j * dZ.ld, M);
    if (t > 1) gemm(Op::none, Op::transpose, T(1), dZ, v_.weights(), T(1), dY.block((t - 2) * M, 0, M, N));
  }
  keep_gradient<T>(*X_, dY, w_);
  keep_gradient<T>(Y_.before(), dY, v_);
  average_rows(*X_, w_);
  average_rows<T>(Y_.before(), v_);
  if (dX) gemm(Op::none, Op::transpose, T(1), dY, w_.weights(), T(0), *dX);
}

template class Recurrent<float>;
template class Recurrent<double>;

}  // namespace elmx
