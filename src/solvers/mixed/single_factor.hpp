#pragma once

#include "solvers/mixed/centred_gram.hpp"
#include "solvers/ridge/factor_form.hpp"

namespace elmx {

/// An approximate inverse of A'A + lambda I from a factor in single precision,
///
///     P = D M D + N m m',   M = D^-1 (G + lambda I) D^-1 + shift,   D^2 = diag(G) + lambda
///
/// M = R'R (Cholesky), or M^-1 = F F' (inverse Cholesky). The mean enters exactly, by Sherman and Morrison in double:
///
///     P^-1 x = z - y (N m'z) / (1 + N m'y),   z = (D M D)^-1 x,   y = (D M D)^-1 m
///
/// The factor grows by columns; k^2 / 2 singles.
class SingleFactor {
 public:
  SingleFactor(FactorForm::Kind kind, double lambda) : kind_(kind), lambda_(lambda), U_(1) {}

  /// Takes in the last step of `gram`. anew: all of its columns, which it has kept.
  /// Where a pivot is not positive, the units of the diagonal get a shift of u, 4 u, 16 u, ... (u = 2^-24), from the one
  /// on that an earlier factor of the same Gram matrix needed. not_positive_definite where a shift that leaves
  /// most_condition does not do.
  template <class T>
  [[nodiscard]] Status extend(CentredGram<T>& gram, bool anew, double most_condition);

  /// P^-1 X.   X: k x c.   2 k^2 c flops.
  void apply(View<double> X) const;

  double shift() const { return shift_; }  ///< of the last step, in units of u

  /// What the shift may have made of the condition of P^-1 (A'A + lambda I), 1 + shift u max(D^2) / lambda: where a
  /// shift was needed, A'A alone has eigenvalues that are not above it.
  double condition() const;

 private:
  template <class T>
  void copy_scaled(const CentredGram<T>& gram, std::size_t first);
  void apply_without_mean(View<double> X) const;

  FactorForm::Kind kind_;
  double lambda_;
  UpperPanels U_;
  arma::vec d_, m_, y_;
  double samples_ = 0, shift_ = 0;
};

}  // namespace elmx
