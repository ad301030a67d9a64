#pragma once

#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// D-Rdg, eqs. (6), (7): the direct ridge solution of the BLS paper. R = A'A + lambda I of all nodes is
/// factorised anew at every step.
///
/// R is bordered, not formed again: all ridge parameters of a sweep share `gram`, which its owner extends.
/// Cost of a step: n^3 / 3 flops in addition to `products`, n = k + q.
template <class T>
class DirectRidge final : public BlockGrowth<T> {
 public:
  DirectRidge(double lambda, GramMatrix<T>& gram) : BlockGrowth<T>(lambda), gram_(gram) {}
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;

  /// Valid until another ridge parameter is factorised in `gram`.
  void apply_inverse(uword first, View<T> X) const override;

 private:
  GramMatrix<T>& gram_;
};

}  // namespace elmx
