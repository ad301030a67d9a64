#include "cluster/distributed_ridge.hpp"

namespace elmx {

template <class T>
Status DistributedRidge<T>::grow(const RidgeProducts<T>&) {
  const uword first = form_.anew ? 0 : k_, n = gram_.columns();
  gram_.ridge_matrix(lambda_, first, factor());
  const Status status =
      form_.kind == FactorForm::Kind::cholesky ? factor().cholesky(first, n) : factor().inverse_cholesky(first, n);
  if (status != Status::ok) return status;
  W_ = gram_.cross();
  apply(View<T>(W_));
  if (!W_.is_finite()) return Status::not_finite;
  k_ = n;
  return Status::ok;
}

template <class T>
void DistributedRidge<T>::apply(View<T> X) const {
  form_.kind == FactorForm::Kind::cholesky ? factor().solve(X) : factor().multiply(X);
}

template class DistributedRidge<double>;
template class DistributedRidge<float>;

}  // namespace elmx
