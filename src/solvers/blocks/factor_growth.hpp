#pragma once

#include <optional>
#include <string>

#include "linalg/inverse_cholesky.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

class FieldVisitor;

/// The common part of the algorithms with an inverse Cholesky factor.
///
/// State: F upper triangular with F F' = R^-1, R = A'A + lambda I (k x k; its generalised-inverse counterpart
/// for Exg-E), and W. F grows in place: [F T; 0 G].
template <class T>
class FactorGrowth : public BlockGrowth<T> {
 public:
  /// capacity: the final number of nodes.
  FactorGrowth(double lambda, uword capacity) : BlockGrowth<T>(lambda), S_(capacity, capacity, arma::fill::none) {}
  void apply_inverse(uword first, View<T> X) const override;

 protected:
  /// Performs one step of Chol-1, eqs. (42), (50), from the Gram matrix alone. `factorise` forms G, which is
  /// F at the first step. 2 k^2 q flops in addition to `products`.
  [[nodiscard]] Status extend_by_gram(const RidgeProducts<T>& products,
                                      InverseFactorisation<T> factorise = inverse_cholesky<T>);

  /// Performs one step of Exg-E or Chol-2, eqs. (30), (22), (32) or (51)-(61), from C = H - A D, formed in
  /// blocks of samples. 2 l k q + l q^2 flops in addition to `products`.
  [[nodiscard]] Status extend_by_residual(const RidgeProducts<T>& products, Regularise<T> regularise);

  /// Performs the same step in its Gram form (53), C'C + lambda D'D = H'C = Q - P'D: without a further pass
  /// over the samples, but with as much cancellation as in Chol-1. 2 k^2 q + 2 k q^2 flops in addition to
  /// `products`.
  [[nodiscard]] Status extend_by_gram_residual(const RidgeProducts<T>& products);

  View<T> F() { return View<T>(S_).block(0, 0, k_, k_); }
  View<const T> F() const { return View<const T>(S_).block(0, 0, k_, k_); }

  arma::Mat<T> S_;  // capacity x capacity; the strict lower triangle is never read
  uword k_ = 0;

 private:
  /// Returns D = F F'A'H (51).
  arma::Mat<T> coefficients(const RidgeProducts<T>& products) const;

  /// Borders F and W by G with G G' = M^-1, (59), (61).   M: q x q, CY = C'Y: q x c; both are overwritten.
  [[nodiscard]] Status extend(arma::Mat<T> D, arma::Mat<T>& M, arma::Mat<T>& CY);

  View<T> corner(uword q) { return View<T>(S_).block(0, 0, k_ + q, k_ + q); }
};

/// Exg-E: the generalised-inverse solution by the inverse Cholesky factor.
template <class T>
class ExgE final : public FactorGrowth<T> {
 public:
  using FactorGrowth<T>::FactorGrowth;
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    return this->extend_by_residual(products, generalised_inverse<T>);
  }
};

struct Chol1Options {
  std::optional<std::string> factor = {};  ///< "recursive" (the default), "cholesky" or "inverse_ldl"

  bool recursive() const { return factor.value_or("recursive") == "recursive"; }
  void fields(FieldVisitor& field);
};

/// Chol-1: the ridge solution from products with the added nodes only. It returns not_positive_definite if
/// rounding errors exceed lambda. The lambda at which this happens depends on whether the first F and each G
/// are formed recursively or by the Cholesky factor (section III-A of the paper permits both). V = F'P of
/// (42a) is a product in both cases.
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

struct Chol2Options {
  std::string form = "gram";  ///< Chol2Gram, or "residual": Chol2

  void fields(FieldVisitor& field);
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

/// Chol-2 with one pass over the samples for all ridge parameters of a sweep: in its Gram form (53) if
/// rounding leaves lambda at least two digits, otherwise from the residual.
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
