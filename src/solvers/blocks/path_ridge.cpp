#include "solvers/blocks/path_ridge.hpp"

namespace elmx {

template <class T>
Status PathRidge<T>::grow(const RidgeProducts<T>&) {
  if (shared_.status() != Status::ok) return shared_.status();
  if (aim_) {
    choice_ = shared_.spectrum().choose(*aim_);
    lambda_ = choice_->lambda;
  }
  if (!shared_.spectrum().determined(lambda_)) return Status::not_positive_definite;
  W_ = shared_.spectrum().weights(lambda_);
  return W_.is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
void PathRidge<T>::apply_inverse(uword first, View<T> X) const {
  arma::mat wide = arma::conv_to<arma::mat>::from(X.copy());
  shared_.spectrum().apply_inverse(lambda_, first, View<double>(wide));
  const arma::Mat<T> narrow = arma::conv_to<arma::Mat<T>>::from(wide);
  for (uword j = 0; j < X.cols; ++j) std::copy_n(narrow.colptr(j), X.rows, X.data + j * X.ld);
}

template class PathRidge<double>;
template class PathRidge<float>;

}  // namespace elmx
