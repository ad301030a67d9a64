#include "solvers/standard.hpp"

#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class A, class T>
Status Standard<A, T>::start(uword l) {
  expects(l <= this->capacity(), "Standard: l <= capacity");
  this->l_ = l;
  R_.set_size(l, l);
  W_.set_size(l, this->outputs());
  ridge_gram(this->H(), this->problem_.lambda, View<A>(R_));
  cross_product(this->H(), this->problem_.targets, View<A>(W_));
  const double norm = symmetric_norm1(View<const A>(R_));
  if (const Status status = cholesky(View<A>(R_)); status != Status::ok) return status;
  cholesky_solve(View<const A>(R_), View<A>(W_));
  condition_estimate_ = condition_estimate(View<const A>(R_), norm);
  return W_.is_finite() ? Status::ok : Status::not_finite;
}

template <class A, class T>
void Standard<A, T>::apply_inverse(uword, View<T> X) const {
  arma::Mat<A> wide = arma::conv_to<arma::Mat<A>>::from(X.copy());
  cholesky_solve(View<const A>(R_), View<A>(wide));
  for (uword j = 0; j < X.cols; ++j) std::copy_n(wide.colptr(j), X.rows, &X(0, j));
}

template class Standard<double, double>;
template class Standard<float, float>;
template class Standard<double, float>;

}  // namespace elmx
