#include "solvers/one_node/existing.hpp"

namespace elmx {

template <class T>
Status Existing<T>::step(const T* h, const T* p, T g) {
  const uword K = this->A_.rows, l = this->l_;
  const View<T> B = View<T>(this->B_).head_cols(l), D = View<T>(D_).head_cols(l);
  arma::Col<T> v(K), s(l), q(l);
  gemv(Op::none, T(1), B, p, T(0), v.memptr());  // u = B (H h)
  const T hu = dot(K, h, v.memptr());
  const T denominator = g - hu;
  if (!(denominator > 0)) return Status::not_positive_definite;

  // D = (g I - h h') u (h'B) / (g (g - h'u)): u is projected before it becomes a matrix. Multiplying by (g
  // I - h h') last would cancel l K numbers of size 1 / (g - h'u) and lose 1 to 2 digits.
  axpy(K, -hu / g, h, v.memptr());
  v /= denominator;
  gemv(Op::transpose, T(1), B, h, T(0), s.memptr());
#pragma omp parallel for schedule(static) if (K * l > kSerialWrites)
  for (uword j = 0; j < l; ++j) {
    for (uword i = 0; i < K; ++i) D(i, j) = v(i) * s(j);
  }
  // B~ = D + (g I - h h') B / g (15)
  gemv(Op::transpose, T(1), B, h, T(0), s.memptr());
  ger(T(-1) / g, h, s.memptr(), B);
  add(T(1), D, B);

  // b = (h - B~ (H h)) / g (16), B = [B~ b] (14), W = Y B (13)
  gemv(Op::transpose, T(1), this->H(), h, T(0), q.memptr());
  T* b = this->B_.colptr(l);
  std::copy_n(h, K, b);
  gemv(Op::none, T(-1) / g, B, q.memptr(), T(1) / g, b);
  gemm(Op::transpose, Op::none, T(1), this->targets_, View<T>(this->B_).head_cols(l + 1), T(0),
       View<T>(this->W_).head_cols(l + 1));
  return Status::ok;
}

template class Existing<double>;
template class Existing<float>;

}  // namespace elmx
