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

namespace {

/// Nodes per thread at once.
constexpr uword kNodes = 16;

}  // namespace

template <class T>
Lstm<T>::Lstm(const Shape& input, Parameter<T> w, Parameter<T> v) : input_(input), w_(std::move(w)), v_(std::move(v)) {
  expects(w_.inputs() == input.features() + 1 && v_.outputs() == 4 * (v_.inputs() - 1) && w_.outputs() == v_.outputs(),
          "Lstm: Theta^w is (inputs + 1) x 4N, Theta^v (N + 1) x 4N");
  w_.steps = v_.steps = input.steps;
}

template <class T>
View<const T> Lstm<T>::forward(View<const T> X, uword samples) {
  const uword N = v_.outputs() / 4, M = samples, steps = input_.steps;
  X_ = X;
  samples_ = samples;
  Y_.shape(steps, M, N);
  Z_.set_size(steps * M, 4 * N);
  kappa_.set_size(steps * M, N);
  if (c_.n_rows != (steps + 1) * M) c_.zeros((steps + 1) * M, N);
  gemm(Op::none, Op::none, T(1), X, w_.Theta, T(0), View<T>(Z_));
  for (uword t = 1; t <= steps; ++t) {
    const View<T> Z = View<T>(Z_).block((t - 1) * M, 0, M, 4 * N), Y = Y_.at(t);
    gemm(Op::none, Op::none, T(1), Y_.with_one(t - 1), v_.Theta, T(1), Z);
#pragma omp parallel for schedule(static, kNodes) if (M * N > 4096)
    for (uword j = 0; j < N; ++j) {
      lstm_gates(&Z(0, j), &Z(0, N + j), &Z(0, 2 * N + j), &Z(0, 3 * N + j), c_.colptr(j) + (t - 1) * M,
                 c_.colptr(j) + t * M, kappa_.colptr(j) + (t - 1) * M, &Y(0, j), M);
    }
  }
  return Y_.outputs();
}

template <class T>
void Lstm<T>::backward(View<T> dY, View<T>* dX) {
  const uword N = v_.outputs() / 4, M = samples_;
  arma::Mat<T> dc(M, N, arma::fill::zeros);
  for (uword t = input_.steps; t >= 1; --t) {
    const View<T> Z = View<T>(Z_).block((t - 1) * M, 0, M, 4 * N), dy = dY.block((t - 1) * M, 0, M, N);
#pragma omp parallel for schedule(static, kNodes) if (M * N > 4096)
    for (uword j = 0; j < N; ++j) {
      lstm_gates_back(&dy(0, j), &Z(0, j), &Z(0, N + j), &Z(0, 2 * N + j), &Z(0, 3 * N + j), c_.colptr(j) + (t - 1) * M,
                      kappa_.colptr(j) + (t - 1) * M, dc.colptr(j), M);
    }
    if (t > 1) gemm(Op::none, Op::transpose, T(1), Z, v_.weights(), T(1), dY.block((t - 2) * M, 0, M, N));
  }
  keep_gradient<T>(*X_, Z_, w_);
  keep_gradient<T>(Y_.before(), Z_, v_);
  average_rows(*X_, w_);
  average_rows<T>(Y_.before(), v_);
  if (dX) gemm(Op::none, Op::transpose, T(1), Z_, w_.weights(), T(0), *dX);
}

template class Lstm<float>;
template class Lstm<double>;

}  // namespace elmx
