#include "cluster/distributed_ridge.hpp"

#include "cluster/ranks.hpp"
#include "linalg/distributed_inverse_ldl.hpp"

namespace elmx {

template <class T>
Status DistributedRidge<T>::grow(const RidgeProducts<T>&) {
  const uword first = form_.anew ? 0 : k_, n = gram_.columns();
  gram_.ridge_matrix(lambda_, first, factor());
  const Status status =
      form_.kind == FactorForm::Kind::cholesky ? factor().cholesky(first, n) : factor().inverse_cholesky(first, n);
  if (status != Status::ok) return status;
  W_ = gram_.cross();
  apply_inverse(0, View<T>(W_));
  if (!W_.is_finite()) return Status::not_finite;
  k_ = n;
  return Status::ok;
}

template <class T>
void DistributedRidge<T>::apply_inverse(uword, View<T> X) const {
  form_.kind == FactorForm::Kind::cholesky ? factor().solve(X) : factor().multiply(X);
}

template <class T>
InverseLdlRidge<T>::InverseLdlRidge(double lambda, const DistributedGram<T>& gram)
    : lambda_(lambda),
      gram_(gram),
      layout_(columns_of(ranks(), kInverseLdlBlock)),
      S_(gram.array().capacity(), layout_.count(gram.array().capacity()), arma::fill::none) {}

template <class T>
Status InverseLdlRidge<T>::grow(const RidgeProducts<T>&) {
  const uword n = gram_.columns();
  const View<T> S = View<T>(S_).block(0, 0, n, layout_.count(n));
  gram_.ridge_columns(lambda_, k_, layout_, S);
  if (const Status status = distributed_inverse_ldl(S, layout_, k_, ranks()); status != Status::ok) return status;
  W_ = gram_.cross();
  multiply_inverse_ldl(View<const T>(S), layout_, View<T>(W_), ranks());  // W = L D L'A'Y
  if (!W_.is_finite()) return Status::not_finite;
  k_ = n;
  return Status::ok;
}

template <class T>
void InverseLdlRidge<T>::apply_inverse(uword, View<T> X) const {
  multiply_inverse_ldl(View<const T>(S_).block(0, 0, k_, layout_.count(k_)), layout_, X, ranks());
}

template class DistributedRidge<double>;
template class DistributedRidge<float>;
template class InverseLdlRidge<double>;
template class InverseLdlRidge<float>;

}  // namespace elmx
