#include "solvers/distributed/distributed_ridge.hpp"

#include <limits>

namespace elmx {

template <class T>
Status DistributedRidge<T>::grow(const RidgeProducts<T>&) {
  method_ = form_.anew_if_needed ? "grown" : "";
  Status status = step(form_.anew ? 0 : k_);
  if (form_.anew_if_needed && k_ > 0 && (status != Status::ok || !solved())) {
    method_ = "refactorised";
    status = step(0);
  }
  if (status == Status::ok) k_ = gram_.columns();
  return status;
}

template <class T>
Status DistributedRidge<T>::step(uword first) {
  const uword n = gram_.columns();
  gram_.ridge_matrix(lambda_, first, factor());
  const Status status =
      form_.kind == FactorForm::Kind::cholesky ? factor().cholesky(first, n) : factor().inverse_cholesky(first, n);
  if (status != Status::ok) return status;
  W_ = gram_.cross();
  apply(View<T>(W_));
  return W_.is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
void DistributedRidge<T>::apply(View<T> X) const {
  form_.kind == FactorForm::Kind::cholesky ? factor().solve(X) : factor().multiply(X);
}

template <class T>
bool DistributedRidge<T>::solved() const {
  const auto norm = [](const arma::Mat<T>& M) { return arma::norm(arma::conv_to<arma::mat>::from(M), "fro"); };
  const double off = norm(gram_.times(lambda_, W_) - gram_.cross()), eps = std::numeric_limits<T>::epsilon();
  return off <= eps * static_cast<double>(gram_.columns()) * (gram_.norm(lambda_) * norm(W_) + norm(gram_.cross()));
}

template class DistributedRidge<double>;
template class DistributedRidge<float>;

}  // namespace elmx
