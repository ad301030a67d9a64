#include "solvers/blocks/direct_ridge.hpp"

#include "linalg/cholesky.hpp"

namespace elmx {

template <class T>
Status DirectRidge<T>::grow(const RidgeProducts<T>& products) {
  expects(gram_.size() == products.old_nodes() + products.added(), "DirectRidge: gram has the added nodes");
  const View<T> R = gram_.ridge_matrix(static_cast<double>(this->lambda_));
  if (const Status status = cholesky(R); status != Status::ok) return status;
  arma::Mat<T> W = products.cross();
  cholesky_solve(View<const T>(R), View<T>(W));
  if (!W.is_finite()) return Status::not_finite;
  this->W_ = std::move(W);
  return Status::ok;
}

template <class T>
void DirectRidge<T>::apply_inverse(uword, View<T> X) const {
  cholesky_solve(gram_.upper(), X);
}

template class DirectRidge<double>;
template class DirectRidge<float>;

}  // namespace elmx
