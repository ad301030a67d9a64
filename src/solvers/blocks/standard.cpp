#include "solvers/blocks/standard.hpp"

#include "linalg/cholesky.hpp"
#include "linalg/condition.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class G, class T>
Status Standard<G, T>::grow(const RidgeProducts<T>& products) {
  const uword n = products.old_nodes() + products.added();
  const View<const G> Y = targets_.template in<G>();
  R_.set_size(n, n);
  arma::Mat<G> W(n, Y.cols);
  products.input().for_each_block(n, [&](uword first, View<const T> block) {
    const G beta = first == 0 ? G(0) : G(1);
    gram(block, beta, View<G>(R_));
    cross_product(block, Y.block(first, 0, block.rows, Y.cols), View<G>(W), beta);
  });
  R_.diag() += static_cast<G>(lambda_);
  const double norm = symmetric_norm1(View<const G>(R_));
  if (const Status status = cholesky(View<G>(R_)); status != Status::ok) return status;
  cholesky_solve(View<const G>(R_), View<G>(W));
  condition_estimate_ = condition_estimate(View<const G>(R_), norm);
  if (!W.is_finite()) return Status::not_finite;
  W_ = std::move(W);
  return Status::ok;
}

template <class G, class T>
void Standard<G, T>::apply_inverse(uword, View<T> X) const {
  arma::Mat<G> wide = arma::conv_to<arma::Mat<G>>::from(X.copy());
  cholesky_solve(View<const G>(R_), View<G>(wide));
  for (uword j = 0; j < X.cols; ++j) std::copy_n(wide.colptr(j), X.rows, &X(0, j));
}

template class Standard<double, double>;
template class Standard<float, float>;
template class Standard<double, float>;

}  // namespace elmx
