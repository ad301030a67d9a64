#pragma once

#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {

/// Factorises Q = L D L', L unit upper triangular and D diagonal. Writes the strict upper triangle of L and
/// the diagonal d of D.   Q, L: l x l, d: l.
template <class T>
void factor_inverse(arma::Mat<T> Q, View<T> L, T* d);

/// Algorithm 3 of the inverse-free ELM paper: updates the inverse LDL' factors, eqs. (31)-(36).
///
/// State: L unit upper triangular and D diagonal with L D L' = Q = (H H' + k0^2 I)^-1; W: M x l.
/// Cost of a step: 2 l K + 2 M K flops, and 2 l^2 for the triangular products. L and D are only appended to.
template <class T>
class Alg3 final : public OneNodeGrowth<T> {
 public:
  Alg3(View<const T> A, View<const T> targets, double lambda)
      : OneNodeGrowth<T>(A, targets, lambda), L_(A.cols, A.cols), D_(A.cols) {}
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Alg3>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Alg3&>(other); }
  void apply_inverse(uword first, View<T> X) const override;

 private:
  void initialise(const arma::Mat<T>& Q) override;
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> L_;  // capacity x capacity, strict upper triangle; the unit diagonal is implied
  arma::Col<T> D_;  // capacity
};

}  // namespace elmx
