#pragma once

#include <memory>

#include "cluster/distributed_gram.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// A ridge solution over ranks, from the Gram matrix and a factor that are both distributed. Weights are the
/// same on all ranks. There is no check, because a Cholesky factor that has grown by blocks is as exact as a
/// new one.
template <class T>
class DistributedRidge final : public GrowingRidge<T> {
 public:
  /// gram: extended by its owner before each step. in_place: the factor shares the array of the Gram matrix
  /// and lasts until another ridge parameter is factorised there. A growing factor needs that array for
  /// itself, or an array of its own.
  DistributedRidge(double lambda, DistributedGram<T>& gram, const FactorForm& form, bool in_place)
      : lambda_(lambda),
        gram_(gram),
        form_(form),
        own_(in_place ? nullptr : std::make_unique<DistributedMatrix<T>>(gram.array().capacity())) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return W_; }
  void apply_inverse(uword first, View<T> X) const override;

 private:
  DistributedMatrix<T>& factor() const { return own_ ? *own_ : gram_.array(); }

  double lambda_;
  DistributedGram<T>& gram_;
  FactorForm form_;
  std::unique_ptr<DistributedMatrix<T>> own_;
  uword k_ = 0;
  arma::Mat<T> W_;
};

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
  BlockCyclic layout_;
  arma::Mat<T> S_;  // capacity x columns of this rank: L above the diagonal, D on it
  uword k_ = 0;
  arma::Mat<T> W_;  // k x c
};

}  // namespace elmx
