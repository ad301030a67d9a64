#pragma once

#include "solvers/ridge_growth.hpp"

namespace elmx {

/// Nodes added in panels of q by matrix-matrix products; the weights of every intermediate size stay available.
///
/// State: the bordered Cholesky factor and the transformed targets,
///
///     R'R = H'H + lambda I      R: l x l, upper triangular
///     R'Z = H'T                 Z: l x c
///
/// Leading blocks of R and Z belong to the smaller networks, so weights(k) = R_k^-1 Z_k for any k <= l, k^2 c flops.
/// Cost of a panel: 2 l q K flops for H'A (compute-bound: H is read once for q nodes), q^2 K, l^2 q + q^3 / 3.
/// Error: that of a Cholesky factorisation of H'H + lambda I; nothing is updated recursively, so nothing drifts.
template <class T>
class Panel final : public RidgeGrowth<T> {
 public:
  /// Grows in panels of q nodes.
  Panel(const RidgeProblem<T>& problem, uword q);

  [[nodiscard]] Status start(uword l) override;
  [[nodiscard]] Status grow(uword q) override;
  arma::Mat<T> weights() const override { return weights(this->l_); }
  void assign(const RidgeGrowth<T>& other) override { *this = static_cast<const Panel&>(other); }
  void apply_inverse(uword first, View<T> X) const override;

  /// Weights of the network of the first k nodes: k x c.
  arma::Mat<T> weights(uword k) const;

 private:
  [[nodiscard]] Status border(uword q);

  uword panel_;
  arma::Mat<T> R_;  // capacity x capacity
  arma::Mat<T> Z_;  // capacity x c
};

}  // namespace elmx
