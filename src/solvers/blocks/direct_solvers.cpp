#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"
#include "solvers/blocks/block_solvers.hpp"

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

template <class T>
Status Panel<T>::grow(const RidgeProducts<T>& products) {
  const uword k = k_, q = products.added(), c = Z_.n_cols;
  expects(products.old_nodes() == k && k + q <= R_.n_cols, "Panel: one step behind the products, within capacity");
  // [R S; 0 U]:   R'S = A'H,   U'U = H'H + lambda I - S'S,   U'V = H'Y - S'Z
  const View<T> R = View<T>(R_).block(0, 0, k, k), S = View<T>(R_).block(0, k, k, q), U = View<T>(R_).block(k, k, q, q);
  const View<T> Z = View<T>(Z_).block(0, 0, k, c), V = View<T>(Z_).block(k, 0, q, c);
  for (uword j = 0; j < q; ++j) {
    std::copy_n(products.P().colptr(j), k, &R_(0, k + j));
    std::copy_n(products.Q().colptr(j), j + 1, &U(0, j));
    U(j, j) += lambda_;
  }
  for (uword j = 0; j < c; ++j) std::copy_n(products.cross().colptr(j) + k, q, &V(0, j));
  if (k > 0) {
    trsm(Op::transpose, R, S);
    syrk(T(-1), S, T(1), U);
    gemm(Op::transpose, Op::none, T(-1), S, Z, T(1), V);
  }
  if (const Status status = cholesky(U); status != Status::ok) return status;
  trsm(Op::transpose, U, V);
  if (!V.copy().is_finite()) return Status::not_finite;
  k_ += q;
  return Status::ok;
}

template <class T>
arma::Mat<T> Panel<T>::weights(uword j) const {
  expects(j <= k_, "Panel::weights: j <= k");
  arma::Mat<T> W = View<const T>(Z_).block(0, 0, j, Z_.n_cols).copy();
  trsm(Op::none, View<const T>(R_).block(0, 0, j, j), View<T>(W));
  return W;
}

template <class T>
void Panel<T>::apply_inverse(uword, View<T> X) const {
  cholesky_solve(View<const T>(R_).block(0, 0, X.rows, X.rows), X);
}

template class Panel<double>;
template class Panel<float>;

}  // namespace elmx
