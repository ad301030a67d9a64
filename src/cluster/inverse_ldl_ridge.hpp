#pragma once

#include "linalg/block_cyclic.hpp"
#include "cluster/distributed_gram.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// A ridge solution over ranks by the inverse LDL' factors of R = A'A + lambda I (algorithm 13 of the paper
/// on added nodes, by blocks of columns). Weights are the same on all ranks.
///
/// State: L unit upper triangular and D diagonal with L D L' = R^-1 (k x k), and W. Each of P ranks holds
/// whole columns of the factors, k^2 / P numbers, in addition to its part of the Gram matrix.
template <class T>
class InverseLdlRidge final : public GrowingRidge<T> {
 public:
  /// gram: extended by its owner before each step.
  InverseLdlRidge(double lambda, const DistributedGram<T>& gram);

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return W_; }
  void apply_inverse(uword first, View<T> X) const override;

 private:
  double lambda_;
  const DistributedGram<T>& gram_;
  BlockCyclic dealt_;
  arma::Mat<T> S_;  // capacity x columns of this rank: L above the diagonal, D on it
  uword k_ = 0;
  arma::Mat<T> W_;  // k x c
};

}  // namespace elmx
