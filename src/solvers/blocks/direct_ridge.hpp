#pragma once

#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// D-Rdg, eqs. (6), (7): R = A'A + lambda I of all nodes, factorised anew at every step; the direct ridge
/// solution of the BLS paper.
///
/// R is bordered, not formed again: `gram` is shared by all ridge parameters of a sweep and extended by its
/// owner. Cost of a step: n^3 / 3 flops beyond those of `products`, n = k + q.
template <class T>
class DirectRidge final : public BlockGrowth<T> {
 public:
  DirectRidge(double lambda, GramMatrix<T>& gram) : BlockGrowth<T>(lambda), gram_(gram) {}
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;

  /// Until another ridge parameter is factorised in `gram`.
  void apply_inverse(uword first, View<T> X) const override;

 private:
  GramMatrix<T>& gram_;
};

}  // namespace elmx
