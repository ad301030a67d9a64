#include "solvers/one_node/alg1.hpp"

namespace elmx {

template <class T>
Status Alg1<T>::step(const T* h, const T* p, T g) {
  const uword K = this->A_.rows, l = this->l_;
  const View<T> B = View<T>(this->B_).head_cols(l);
  arma::Col<T> s(l), w(this->targets_.cols);
  gemv(Op::transpose, T(1), B, h, T(0), s.memptr());  // s = h'B
  const T denominator = g - dot(l, s.memptr(), p);
  if (!(denominator > 0)) return Status::not_positive_definite;
  const T tau = T(1) / denominator;  // (27)

  T* b = this->B_.colptr(l);
  std::copy_n(h, K, b);
  gemv(Op::none, -tau, B, p, tau, b);  // b = tau (h - B p) (25)
  ger(T(-1), b, s.memptr(), B);        // B~ = B - b s (26)

  gemv(Op::transpose, T(1), this->targets_, b, T(0), w.memptr());      // w = Y b (29b)
  ger(T(-1), w.memptr(), s.memptr(), View<T>(this->W_).head_cols(l));  // W~ = W - w s (29a)
  this->W_.col(l) = w;
  return Status::ok;
}

template class Alg1<double>;
template class Alg1<float>;

}  // namespace elmx
