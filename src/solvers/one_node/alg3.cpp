#include "solvers/one_node/alg3.hpp"

#include "linalg/blas.hpp"

namespace elmx {

template <class T>
void factor_inverse(arma::Mat<T> Q, View<T> L, T* d) {
  // From the last column up: d_j = Q_jj, l_j = Q_*j / d_j, then Q -= d_j l_j l_j' on the remaining columns.
  for (uword j = Q.n_cols; j-- > 0;) {
    d[j] = Q(j, j);
    T* column = L.col(j).data;
    for (uword i = 0; i < j; ++i) column[i] = Q(i, j) / d[j];
    ger(-d[j], column, column, View<T>(Q).block(0, 0, j, j));
  }
}

template <class T>
void Alg3<T>::initialise(const arma::Mat<T>& Q) {
  factor_inverse(Q, View<T>(L_).block(0, 0, this->l_, this->l_), D_.memptr());
}

template <class T>
Status Alg3<T>::step(const T* h, const T* p, T g) {
  const uword l = this->l_;
  const View<const T> L = View<const T>(L_).block(0, 0, l, l);
  arma::Col<T> t(p, l);
  trmv(Op::transpose, true, L, t.memptr());     // L'p
  for (uword i = 0; i < l; ++i) t(i) *= D_(i);  // D L'p
  trmv(Op::none, true, L, t.memptr());          // L D L'p = Q p
  const T denominator = g - dot(l, p, t.memptr());
  if (!(denominator > 0)) return Status::not_positive_definite;
  const T tau = T(1) / denominator;  // (34b)
  t *= T(-1);                        // (34a)

  const arma::Col<T> w = this->new_output_weights(h, p, tau);         // (30b)
  ger(T(1), w.memptr(), t.memptr(), View<T>(this->W_).head_cols(l));  // W~ = W + w t' (36)
  this->W_.col(l) = w;

  std::copy_n(t.memptr(), l, L_.colptr(l));  // (33a)
  D_(l) = tau;                               // (33b)
  return Status::ok;
}

template <class T>
void Alg3<T>::apply_inverse(uword, View<T> X) const {
  const View<const T> L = View<const T>(L_).block(0, 0, X.rows, X.rows);
  trmm(Op::transpose, L, X, T(1), true);
  scale_rows(D_.memptr(), X);
  trmm(Op::none, L, X, T(1), true);
}

template void factor_inverse(arma::mat, View<double>, double*);
template void factor_inverse(arma::fmat, View<float>, float*);
template class Alg3<double>;
template class Alg3<float>;

}  // namespace elmx
