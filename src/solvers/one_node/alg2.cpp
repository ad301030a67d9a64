#include "solvers/one_node/alg2.hpp"

#include "linalg/blas.hpp"

namespace elmx {

template <class T>
void Alg2<T>::initialise(const arma::Mat<T>& Q) {
  if (!Q.is_empty()) Q_.submat(0, 0, this->l_ - 1, this->l_ - 1) = Q;
}

template <class T>
Status Alg2<T>::step(const T* h, const T* p, T g) {
  const uword l = this->l_;
  const View<T> Q = View<T>(Q_).block(0, 0, l, l);
  arma::Col<T> t(l);
  symv(Q, p, t.memptr());  // Q p
  const T denominator = g - dot(l, p, t.memptr());
  if (!(denominator > 0)) return Status::not_positive_definite;
  const T tau = T(1) / denominator;  // (24a)
  t *= -tau;                         // (24b)

  const arma::Col<T> w = this->new_output_weights(h, p, tau);               // (30b)
  ger(T(1) / tau, w.memptr(), t.memptr(), View<T>(this->W_).head_cols(l));  // (30a)
  this->W_.col(l) = w;

  syr(T(1) / tau, t.memptr(), Q);            // Q~ = Q + t t' / tau (24c)
  std::copy_n(t.memptr(), l, Q_.colptr(l));  // (22)
  Q_(l, l) = tau;
  return Status::ok;
}

template <class T>
void Alg2<T>::apply_inverse(uword, View<T> X) const {
  const arma::Mat<T> Q = arma::symmatu(Q_.submat(0, 0, arma::size(X.rows, X.rows))), B = X.copy();
  gemm(Op::none, Op::none, T(1), Q, B, T(0), X);
}

template class Alg2<double>;
template class Alg2<float>;

}  // namespace elmx
