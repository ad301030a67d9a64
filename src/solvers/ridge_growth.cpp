#include "solvers/ridge_growth.hpp"

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class T>
Status OneNodeGrowth<T>::start(uword l) {
  expects(l <= this->capacity(), "start: l <= capacity");
  this->l_ = l;
  // R'R = H'H + lambda I,   W' = (R'R)^-1 H'T,   Q = (R'R)^-1
  arma::Mat<T> R(l, l), C(l, this->outputs()), Q(l, l, arma::fill::eye);
  ridge_gram(this->H(), this->problem_.lambda, View<T>(R));
  if (const Status status = cholesky(View<T>(R)); status != Status::ok) return status;
  cross_product(this->H(), this->problem_.targets, View<T>(C));
  cholesky_solve(View<const T>(R), View<T>(C));
  cholesky_solve(View<const T>(R), View<T>(Q));
  W_.head_cols(l) = C.t();
  initialise(Q);
  return C.is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
Status OneNodeGrowth<T>::grow(uword q) {
  expects(this->l_ + q <= this->capacity(), "grow: l + q <= capacity");
  for (; q > 0; --q) {
    const T* h = this->problem_.H.col(this->l_).data;
    gemv(Op::transpose, T(1), this->H(), h, T(0), p_.memptr());  // p = H h (21)
    const T g = dot(this->samples(), h, h) + static_cast<T>(this->problem_.lambda);
    if (const Status status = step(h, p_.memptr(), g); status != Status::ok) return status;
    ++this->l_;
  }
  return W_.head_cols(this->l_).is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
arma::Col<T> OneNodeGrowth<T>::new_output_weights(const T* h, const T* p, T tau) const {
  arma::Col<T> w(this->outputs());
  gemv(Op::transpose, T(1), this->problem_.targets, h, T(0), w.memptr());                                     // Y h
  gemv(Op::none, T(-1), View<const T>(W_.memptr(), W_.n_rows, this->l_, W_.n_rows), p, T(1), w.memptr());  // - W p
  w *= tau;
  return w;
}

template class OneNodeGrowth<double>;
template class OneNodeGrowth<float>;

}  // namespace elmx
