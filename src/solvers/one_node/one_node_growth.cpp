#include "solvers/one_node/one_node_growth.hpp"

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class T>
Status OneNodeGrowth<T>::grow(const RidgeProducts<T>& products) {
  const uword l = products.old_nodes(), q = products.added();
  expects(l == l_ && l + q <= A_.cols && (l == 0 || q == 1),
          "OneNodeGrowth: one step behind the products, within capacity, one node a step");
  if (l == 0) return start(q);
  const T* h = A_.col(l).data;
  gemv(Op::transpose, T(1), H(), h, T(0), p_.memptr());  // p = H h (21)
  const T g = dot(A_.rows, h, h) + static_cast<T>(lambda_);
  if (const Status status = step(h, p_.memptr(), g); status != Status::ok) return status;
  ++l_;
  return W_.head_cols(l_).is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
Status OneNodeGrowth<T>::start(uword l) {
  l_ = l;
  // R'R = H'H + lambda I,   W' = (R'R)^-1 H'T,   Q = (R'R)^-1
  arma::Mat<T> R(l, l), C(l, targets_.cols), Q(l, l, arma::fill::eye);
  ridge_gram(H(), lambda_, View<T>(R));
  if (const Status status = cholesky(View<T>(R)); status != Status::ok) return status;
  cross_product(H(), targets_, View<T>(C));
  cholesky_solve(View<const T>(R), View<T>(C));
  cholesky_solve(View<const T>(R), View<T>(Q));
  W_.head_cols(l) = C.t();
  initialise(Q);
  return C.is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
arma::Col<T> OneNodeGrowth<T>::new_output_weights(const T* h, const T* p, T tau) const {
  arma::Col<T> w(targets_.cols);
  gemv(Op::transpose, T(1), targets_, h, T(0), w.memptr());                                          // Y h
  gemv(Op::none, T(-1), View<const T>(W_.memptr(), W_.n_rows, l_, W_.n_rows), p, T(1), w.memptr());  // - W p
  w *= tau;
  return w;
}

template class OneNodeGrowth<double>;
template class OneNodeGrowth<float>;

}  // namespace elmx
