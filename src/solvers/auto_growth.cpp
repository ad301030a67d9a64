#include "solvers/auto_growth.hpp"

#include <limits>

#include "base/rng.hpp"
#include "linalg/blas.hpp"
#include "linalg/inverse_cholesky.hpp"

namespace elmx {
namespace {

constexpr double kMostGrowth = 10;  // of ||W|| in one step

template <class T>
double norm(const arma::Mat<T>& M) {
  return M.is_finite() ? static_cast<double>(arma::norm(M, "fro")) : arma::datum::inf;
}

}  // namespace

template <class T>
Status AutoGrowth<T>::grow(const RidgeProducts<T>& products) {
  const uword k = this->k_;
  const arma::Mat<T> W = this->W_;
  const double earlier_norm = W.is_empty() ? arma::datum::inf : norm(W);

  method_ = "chol-1";
  if (this->extend_by_gram(products) == Status::ok && safe(products, earlier_norm)) return Status::ok;
  this->k_ = k;
  this->W_ = W;
  method_ = "chol-2";
  if (this->extend_by_residual(products, ridge_inverse<T>) == Status::ok && safe(products, earlier_norm)) return Status::ok;
  method_ = "refactorised";
  const Status status = refactorise(products);
  if (status != Status::ok) {
    this->k_ = k;
    this->W_ = W;
  }
  return status;
}

template <class T>
bool AutoGrowth<T>::safe(const RidgeProducts<T>& products, double earlier_norm) const {
  const arma::Mat<T>& W = this->W_;
  const arma::Mat<T>& AY = products.cross();
  const double lambda = static_cast<double>(this->lambda_), w = norm(W);
  if (!(w <= kMostGrowth * earlier_norm)) return false;

  arma::Mat<T> X = arma::join_rows(W, arma::Mat<T>(W.n_rows, 1));
  const Rng rng(1, Purpose::probe);
  arma::Col<T> x(W.n_rows);
  for (uword i = 0; i < x.n_elem; ++i) x(i) = static_cast<T>(rng.normal(i));
  std::copy_n(x.memptr(), x.n_elem, X.colptr(W.n_cols));
  trmv(Op::transpose, false, this->F(), X.colptr(W.n_cols));
  trmv(Op::none, false, this->F(), X.colptr(W.n_cols));  // F F'x

  const arma::Mat<T> RX = gram_.times(lambda, X);
  const double r = gram_.norm(lambda), tolerance = static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(W.n_rows);
  const double y = norm(arma::Mat<T>(X.tail_cols(1)));
  const double weights_off = norm(arma::Mat<T>(RX.head_cols(W.n_cols) - AY)), factor_off = norm(arma::Mat<T>(RX.tail_cols(1) - x));
  return weights_off <= tolerance * (r * w + norm(AY)) && factor_off <= tolerance * (r * y + norm(arma::Mat<T>(x)));
}

template <class T>
Status AutoGrowth<T>::refactorise(const RidgeProducts<T>& products) {
  const uword n = products.old_nodes() + products.added();
  const View<const T> R = gram_.ridge_matrix(static_cast<double>(this->lambda_));
  this->k_ = n;
  for (uword j = 0; j < n; ++j) std::copy_n(&R(0, j), j + 1, &this->F()(0, j));
  if (const Status status = inverse_cholesky(this->F()); status != Status::ok) return status;
  this->W_ = products.cross();  // W = F F'A'Y
  trmm(Op::transpose, this->F(), View<T>(this->W_));
  trmm(Op::none, this->F(), View<T>(this->W_));
  return this->W_.is_finite() ? Status::ok : Status::not_finite;
}

template class AutoGrowth<double>;
template class AutoGrowth<float>;

}  // namespace elmx
