#include "solvers/standard.hpp"

#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class A, class T>
Status Standard<A, T>::start(uword l) {
  expects(l <= this->capacity(), "Standard: l <= capacity");
  this->l_ = l;
  arma::Mat<A> G(l, l);
  W_.set_size(l, this->outputs());
  ridge_gram(this->H(), this->problem_.lambda, View<A>(G));
  cross_product(this->H(), this->problem_.targets, View<A>(W_));
  const double norm = symmetric_norm1(View<const A>(G));
  if (const Status status = cholesky(View<A>(G)); status != Status::ok) return status;
  cholesky_solve(View<const A>(G), View<A>(W_));
  condition_estimate_ = condition_estimate(View<const A>(G), norm);
  return W_.is_finite() ? Status::ok : Status::not_finite;
}

template class Standard<double, double>;
template class Standard<float, float>;
template class Standard<double, float>;

}  // namespace elmx
