#pragma once

#include "linalg/inverse_cholesky.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// What the algorithms by the inverse Cholesky factor share.
///
/// State: F upper triangular with F F' = R^-1, R = A'A + lambda I (k x k; for Exg-E the generalised inverse's
/// counterpart), and W. F grows in place: [F T; 0 G].
template <class T>
class FactorGrowth : public BlockGrowth<T> {
 public:
  /// capacity: nodes at the end.
  FactorGrowth(double lambda, uword capacity) : BlockGrowth<T>(lambda), S_(capacity, capacity, arma::fill::none) {}
  void apply_inverse(uword first, View<T> X) const override;

 protected:
  /// One step of Chol-1, eqs. (42), (50): from the Gram matrix alone. `factorise` forms G, which is F at the
  /// first step. 2 k^2 q flops beyond those of `products`.
  [[nodiscard]] Status extend_by_gram(const RidgeProducts<T>& products,
                                      InverseFactorisation<T> factorise = inverse_cholesky<T>);

  /// One step of Exg-E or Chol-2, eqs. (30), (22), (32) or (51)-(61): from C = H - A D, formed in blocks of
  /// samples. 2 l k q + l q^2 flops beyond those of `products`.
  [[nodiscard]] Status extend_by_residual(const RidgeProducts<T>& products, Regularise<T> regularise);

  /// The same in its Gram form (53), C'C + lambda D'D = H'C = Q - P'D: no further pass over the samples, but
  /// as much cancellation as in Chol-1. 2 k^2 q + 2 k q^2 flops beyond those of `products`.
  [[nodiscard]] Status extend_by_gram_residual(const RidgeProducts<T>& products);

  View<T> F() { return View<T>(S_).block(0, 0, k_, k_); }
  View<const T> F() const { return View<const T>(S_).block(0, 0, k_, k_); }

  arma::Mat<T> S_;  // capacity x capacity; what stands below the diagonal is never read
  uword k_ = 0;

 private:
  /// D = F F'A'H (51).
  arma::Mat<T> coefficients(const RidgeProducts<T>& products) const;

  /// F and W bordered by G of G G' = M^-1, (59), (61).   M: q x q, CY = C'Y: q x c; both are used up.
  [[nodiscard]] Status extend(arma::Mat<T> D, arma::Mat<T>& M, arma::Mat<T>& CY);

  View<T> corner(uword q) { return View<T>(S_).block(0, 0, k_ + q, k_ + q); }
};

/// Exg-E: the generalised inverse's solution by the inverse Cholesky factor.
template <class T>
class ExgE final : public FactorGrowth<T> {
 public:
  using FactorGrowth<T>::FactorGrowth;
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    return this->extend_by_residual(products, generalised_inverse<T>);
  }
};

/// Chol-1: the ridge solution from products with the added nodes only; not_positive_definite where rounding
/// has eaten lambda. At which lambda that is depends on how the first F and each G are formed, recursively or
/// by the Cholesky factor (section III-A of the paper permits both). V = F'P of (42a) is a product in both.
template <class T>
class Chol1 final : public FactorGrowth<T> {
 public:
  Chol1(double lambda, uword capacity, InverseFactorisation<T> factorise)
      : FactorGrowth<T>(lambda, capacity), factorise_(factorise) {}
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    return this->extend_by_gram(products, factorise_);
  }

 private:
  InverseFactorisation<T> factorise_;
};

/// Chol-2: the ridge solution from the residual C, positive definite by construction (58).
template <class T>
class Chol2 final : public FactorGrowth<T> {
 public:
  using FactorGrowth<T>::FactorGrowth;
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    return this->extend_by_residual(products, ridge_inverse<T>);
  }
};

/// Chol-2 with one pass over the samples for all ridge parameters of a sweep: in its Gram form (53) where
/// rounding leaves lambda at least two digits, else from the residual.
template <class T>
class Chol2Gram final : public FactorGrowth<T> {
 public:
  using FactorGrowth<T>::FactorGrowth;
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  std::string_view method() const override { return method_; }

 private:
  std::string_view method_;
};

}  // namespace elmx
