#include "solvers/ridge/growing_ridge.hpp"

#include "linalg/blas.hpp"

namespace elmx {

template <class T>
void BlockGrowth<T>::append_weights(const arma::Mat<T>& D, const arma::Mat<T>& BY) {
  if (!W_.is_empty()) gemm(Op::none, Op::none, T(-1), D, BY, T(1), View<T>(W_));
  W_ = arma::join_cols(W_, BY);
}

template <class T>
void generalised_inverse(T lambda, const arma::Mat<T>&, arma::Mat<T>& M) {
  M.diag() += lambda;
}

template <class T>
void ridge_inverse(T lambda, const arma::Mat<T>& D, arma::Mat<T>& M) {
  if (!D.is_empty()) syrk(lambda, View<const T>(D), T(1), View<T>(M));
  M.diag() += lambda;
}

template class BlockGrowth<double>;
template class BlockGrowth<float>;
template void generalised_inverse(double, const arma::mat&, arma::mat&);
template void generalised_inverse(float, const arma::fmat&, arma::fmat&);
template void ridge_inverse(double, const arma::mat&, arma::mat&);
template void ridge_inverse(float, const arma::fmat&, arma::fmat&);

}  // namespace elmx
