#include "solvers/blocks/auto_growth.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "base/rng.hpp"
#include "linalg/blas.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "linalg/ridge_qr.hpp"

namespace elmx {
namespace {

constexpr double kMostGrowth = 10;  // most growth of ||W|| in one step
constexpr double kMostOff = 0.01;   // most relative error of W
constexpr int kPowerSteps = 6;

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
  if (this->extend_by_residual(products, ridge_inverse<T>) == Status::ok && safe(products, earlier_norm))
    return Status::ok;
  method_ = "refactorised";
  const Status refactorised = refactorise(products);
  if (refactorised == Status::ok && safe(products, arma::datum::inf)) return Status::ok;
  if (orthogonalise(products) == Status::ok) {
    method_ = "qr";
    return Status::ok;
  }
  // Nothing better is left; the caller can judge the error of this solution.
  if (refactorised == Status::ok) return Status::ok;
  this->k_ = k;
  this->W_ = W;
  return refactorised;
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
  const double r = gram_.norm(lambda),
               tolerance = static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(W.n_rows);
  const double y = norm(arma::Mat<T>(X.tail_cols(1)));
  const double weights_off = norm(arma::Mat<T>(RX.head_cols(W.n_cols) - AY)),
               factor_off = norm(arma::Mat<T>(RX.tail_cols(1) - x));
  const bool solves =
      weights_off <= tolerance * (r * w + norm(AY)) && factor_off <= tolerance * (r * y + norm(arma::Mat<T>(x)));
  return solves && (!std::is_same_v<T, double> || near(weights_off, arma::Col<T>(X.tail_cols(1))));
}

template <class T>
bool AutoGrowth<T>::near(double weights_off, arma::Col<T> x) const {
  double inverse = 0;
  for (int step = 0; step < kPowerSteps; ++step) {
    const double length = norm(arma::Mat<T>(x));
    if (!(length > 0) || !std::isfinite(length)) return false;
    x /= static_cast<T>(length);
    trmv(Op::transpose, false, this->F(), x.memptr());
    trmv(Op::none, false, this->F(), x.memptr());
    inverse = norm(arma::Mat<T>(x));
  }
  return inverse * weights_off <= kMostOff * norm(this->W_);
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

template <class T>
Status AutoGrowth<T>::orthogonalise(const RidgeProducts<T>& products) {
  const uword n = products.old_nodes() + products.added();
  const View<const T> Y = products.targets();
  RidgeQr qr(n, Y.cols, static_cast<double>(this->lambda_));
  products.input().for_each_block(
      n, [&](uword first, View<const T> block) { qr.add_samples(block, Y.block(first, 0, block.rows, Y.cols)); });
  arma::mat W;
  if (const Status status = qr.solve(W); status != Status::ok) return status;
  const arma::Mat<T> F = arma::conv_to<arma::Mat<T>>::from(qr.inverse_factor());
  const arma::Mat<T> weights = arma::conv_to<arma::Mat<T>>::from(W);
  if (!F.is_finite() || !weights.is_finite()) return Status::not_finite;
  this->W_ = weights;
  this->k_ = n;
  for (uword j = 0; j < n; ++j) std::copy_n(F.colptr(j), j + 1, &this->F()(0, j));
  return Status::ok;
}

template class AutoGrowth<double>;
template class AutoGrowth<float>;

}  // namespace elmx
