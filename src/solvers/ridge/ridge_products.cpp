#include "solvers/ridge/ridge_products.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class T>
void RidgeProducts<T>::advance(uword q) {
  k_ += q_;
  q_ = q;
  expects(k_ + q <= A_.cols(), "RidgeProducts: the nodes exist");
  if (needed_ == Products::none) return;
  const bool gram = needed_ == Products::gram;
  P_.set_size(k_, q);
  if (gram) {
    Q_.set_size(q, q);
    AY_.resize(k_ + q, Y_.cols);
  }
  if (k_ == 0 && !gram) return;
  A_.for_each_block(k_ + q, [&](uword first, View<const T> block) {
    const View<const T> H = block.block(0, k_, block.rows, q);
    const T beta = first == 0 ? T(0) : T(1);
    if (k_ > 0) gemm(Op::transpose, Op::none, T(1), block.head_cols(k_), H, beta, View<T>(P_));
    if (!gram) return;
    syrk(T(1), H, beta, View<T>(Q_));
    gemm(Op::transpose, Op::none, T(1), H, Y_.block(first, 0, block.rows, Y_.cols), beta,
         View<T>(AY_).block(k_, 0, q, Y_.cols));
  });
}

template <class T>
void GramMatrix<T>::extend(const RidgeProducts<T>& products) {
  const arma::Mat<T>&P = products.P(), &Q = products.Q();
  expects(n_ == products.old_nodes() && n_ + products.added() <= array_.n_cols, "GramMatrix: extended once a step");
  transpose(View<const T>(P), View<T>(array_).block(n_, 0, P.n_cols, P.n_rows));
  for (uword j = 0; j < Q.n_cols; ++j) {
    for (uword i = 0; i < j; ++i) array_(n_ + j, n_ + i) = Q(i, j);
    diagonal_(n_ + j) = Q(j, j);
  }
  n_ += Q.n_cols;
}

template <class T>
View<T> GramMatrix<T>::ridge_matrix(double lambda) {
  const View<T> R = View<T>(array_).block(0, 0, n_, n_);
  mirror_lower(R);
  for (uword j = 0; j < n_; ++j) R(j, j) = diagonal_(j) + static_cast<T>(lambda);
  return R;
}

template <class T>
arma::Mat<T> GramMatrix<T>::times(double lambda, const arma::Mat<T>& X) const {
  arma::Mat<T> Z(X.n_rows, X.n_cols);
  symmetric_times(View<const T>(array_).block(0, 0, n_, n_), diagonal_.memptr(), View<const T>(X), View<T>(Z));
  Z += static_cast<T>(lambda) * X;
  return Z;
}

template <class T>
double GramMatrix<T>::norm(double lambda) const {
  arma::vec squares(n_);
#pragma omp parallel for schedule(dynamic, 16)
  for (uword j = 0; j < n_; ++j) {
    const double d = static_cast<double>(diagonal_(j)) + lambda;
    double sum = d * d;
    for (uword i = j + 1; i < n_; ++i) sum += 2 * static_cast<double>(array_(i, j)) * static_cast<double>(array_(i, j));
    squares(j) = sum;
  }
  return std::sqrt(arma::accu(squares));
}

template class RidgeProducts<double>;
template class RidgeProducts<float>;
template class GramMatrix<double>;
template class GramMatrix<float>;

}  // namespace elmx
