#include "solvers/blocks/panel.hpp"

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {

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
