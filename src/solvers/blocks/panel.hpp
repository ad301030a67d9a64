#pragma once

#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// Adds nodes in panels by matrix-matrix products. The weights of every intermediate size stay available.
///
/// State: the bordered Cholesky factor and the transformed targets,
///
///     R'R = A'A + lambda I      R: k x k, upper triangular
///     R'Z = A'Y                 Z: k x c
///
/// Leading blocks of R and Z belong to the smaller networks, so weights(j) = R_j^-1 Z_j for any j <= k, in
/// j^2 c flops. Cost of a panel of q nodes in addition to `products`: k^2 q + k q^2 + q^3 / 3 flops. The
/// error is as in a Cholesky factorisation of A'A + lambda I: nothing is updated recursively, so nothing
/// drifts.
template <class T>
class Panel final : public GrowingRidge<T> {
 public:
  /// capacity: the final number of nodes; outputs: c.
  Panel(double lambda, uword capacity, uword outputs)
      : lambda_(static_cast<T>(lambda)), R_(capacity, capacity, arma::fill::none), Z_(capacity, outputs) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override;
  arma::Mat<T> weights() const override { return weights(k_); }
  void apply_inverse(uword first, View<T> X) const override;

  /// Returns the weights of the network of the first j nodes: j x c.
  arma::Mat<T> weights(uword j) const;

 private:
  T lambda_;
  arma::Mat<T> R_;  // capacity x capacity
  arma::Mat<T> Z_;  // capacity x c
  uword k_ = 0;
};

}  // namespace elmx
