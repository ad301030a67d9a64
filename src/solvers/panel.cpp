#include "solvers/panel.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class T>
Panel<T>::Panel(const RidgeProblem<T>& problem, uword q)
    : RidgeGrowth<T>(problem), panel_(q), R_(problem.H.cols, problem.H.cols), Z_(problem.H.cols, problem.targets.cols) {
  expects(q >= 1, "Panel: q >= 1");
}

template <class T>
Status Panel<T>::start(uword l) {
  this->l_ = 0;
  return border(l);
}

template <class T>
Status Panel<T>::grow(uword q) {
  while (q > 0) {
    const uword k = std::min(q, panel_);
    if (const Status status = border(k); status != Status::ok) return status;
    q -= k;
  }
  return Status::ok;
}

template <class T>
Status Panel<T>::border(uword q) {
  const uword l = this->l_;
  expects(l + q <= this->capacity(), "Panel: l + q <= capacity");
  // [R S; 0 U]:   R'S = H'A,   U'U = A'A + lambda I - S'S,   U'V = A'T - S'Z
  const View<const T> A = this->problem_.H.block(0, l, this->samples(), q);
  const View<T> R = View<T>(R_).block(0, 0, l, l), S = View<T>(R_).block(0, l, l, q), U = View<T>(R_).block(l, l, q, q);
  const View<T> Z = View<T>(Z_).block(0, 0, l, Z_.n_cols), V = View<T>(Z_).block(l, 0, q, Z_.n_cols);
  ridge_gram(A, this->problem_.lambda, U);
  cross_product(A, this->problem_.targets, V);
  if (l > 0) {
    gemm(Op::transpose, Op::none, T(1), this->H(), A, T(0), S);
    trsm(Op::transpose, R, S);
    syrk(T(-1), S, T(1), U);
    gemm(Op::transpose, Op::none, T(-1), S, Z, T(1), V);
  }
  if (const Status status = cholesky(U); status != Status::ok) return status;
  trsm(Op::transpose, U, V);
  if (!V.copy().is_finite()) return Status::not_finite;
  this->l_ += q;
  return Status::ok;
}

template <class T>
arma::Mat<T> Panel<T>::weights(uword k) const {
  expects(k <= this->l_, "Panel::weights: k <= l");
  arma::Mat<T> W = View<const T>(Z_).block(0, 0, k, Z_.n_cols).copy();
  trsm(Op::none, View<const T>(R_).block(0, 0, k, k), View<T>(W));
  return W;
}

template <class T>
void Panel<T>::apply_inverse(uword, View<T> X) const {
  cholesky_solve(View<const T>(R_).block(0, 0, X.rows, X.rows), X);
}

template class Panel<double>;
template class Panel<float>;

}  // namespace elmx
