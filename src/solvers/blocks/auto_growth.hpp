#pragma once

#include "solvers/blocks/factor_growth.hpp"

namespace elmx {

/// Takes the cheapest safe step. Chol-1 comes first. If its factor or its weights fail the check, Chol-2
/// starts from the same state; if that fails too, R is factorised anew; if that fails as well, W and F come
/// from a QR factorisation of [A; sqrt(lambda) I], which never forms A'A (2 l n^2 flops, in double).
///
/// The check takes a few products of R with a vector (2 k^2 flops each). It is a posteriori and relative to
/// the size of the terms, with tolerance = eps k:
///
///     ||R W - A'Y||   <= tolerance (||R|| ||W|| + ||A'Y||)            the weights solve the normal equations
///     ||R F F'x - x|| <= tolerance (||R|| ||F F'x|| + ||x||)          F is a factor of R^-1, for a random x
///     ||W_new||       <= 10 ||W_old||                                 nothing explodes
///     ||R^-1|| ||R W - A'Y|| <= 0.01 ||W||                            the weights have two correct digits
///
/// For a stable factorisation the first two residuals stay below their bounds whatever the condition is. The
/// last bound concerns the error itself, condition times backward error, with ||R^-1|| by the power method
/// with F F'. It is checked in double precision only: single precision cannot meet it beyond a condition of
/// 10^5 by any method.
template <class T>
class AutoGrowth final : public FactorGrowth<T> {
 public:
  AutoGrowth(double lambda, uword capacity, GramMatrix<T>& gram) : FactorGrowth<T>(lambda, capacity), gram_(gram) {}
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  std::string_view method() const override { return method_; }

 private:
  [[nodiscard]] bool safe(const RidgeProducts<T>& products, double earlier_norm) const;
  [[nodiscard]] bool near(double weights_off, arma::Col<T> x) const;
  [[nodiscard]] Status refactorise(const RidgeProducts<T>& products);
  [[nodiscard]] Status orthogonalise(const RidgeProducts<T>& products);

  GramMatrix<T>& gram_;
  std::string_view method_;
};

}  // namespace elmx
