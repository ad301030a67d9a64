#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// The method of a reweighted step; automatic takes the method with fewer flops.
enum class WeightSolver { automatic, gram, dual };

/// Solves min_W ||B W - Z||_F^2 + lambda ||W||_{2,1},  ||W||_{2,1} = sum_i ||w_i||_2 over the rows, by
/// reweighted steps (27), (28):
///
///     W <- (B'B + lambda U)^-1 B'Z,   U = diag(1 / (2 ||w_i||))
///
/// B: r x L, W: L x c, Z: r x c, which may change from step to step. A step never increases the objective.
/// With D = diag(d_i), d_i = 2 ||w_i||, and s active nodes, a step has one of two forms:
///
///     gram   W = D^1/2 (D^1/2 B'B D^1/2 + lambda I)^-1 D^1/2 B'Z     s^3 / 3 flops
///     dual   W = D B' (lambda I + B D B')^-1 Z                         r^2 s + r^3 / 3 flops
///
/// The gram form forms B'B once and omits pruned nodes. Neither form divides by ||w_i||, and all eigenvalues
/// of the factorised matrix are at least lambda. A zero row stays zero.
class JointSparse {
 public:
  /// Bt = B': L x r; W: L x c, the start of the iteration; gram: B'B, L x L, which outlives the object, or
  /// null.
  JointSparse(arma::mat Bt, arma::mat W, double lambda, WeightSolver solver, const arma::mat* gram = nullptr);
  JointSparse(const JointSparse&) = delete;
  JointSparse& operator=(const JointSparse&) = delete;

  /// Performs one step. Returns not_positive_definite, and keeps W, if rounding errors exceed lambda.
  [[nodiscard]] Status step(const arma::mat& Z);

  /// Returns ||W_new - W||_F^2 of the last step.
  double change() const { return change_; }

  /// Removes every node with ||w_i|| < threshold. Returns the part of these nodes in V = B W: r x c.
  arma::mat prune(double threshold);

  /// Removes all but the `nodes` nodes of largest ||w_i|| and fits the rest without regularisation: W = B^+
  /// Z.
  [[nodiscard]] Status keep_largest(uword nodes, const arma::mat& Z);

  /// Returns the numbers of the remaining nodes, ascending; row k of W belongs to node active()(k).
  const arma::uvec& active() const { return active_; }
  const arma::mat& W() const { return W_; }

  /// Returns V = B W: r x c.
  arma::mat V() const;

  /// Changes to the range of B as the new space: B_old = Q B_new with orthonormal Q, r x s, which is
  /// returned. Needs s <= r. Z and V are then s x c, with Q'Z for the earlier Z. 4 r s^2 flops.
  arma::mat compress();

  double norm21() const;

 private:
  void keep(const arma::uvec& rows);
  bool takes_gram() const;
  [[nodiscard]] Status step_by_gram(const arma::mat& Z, const arma::vec& d, arma::mat& next);
  [[nodiscard]] Status step_by_dual(const arma::mat& Z, const arma::vec& d, arma::mat& next) const;

  arma::mat Bt_;  // s x r
  arma::mat W_;   // s x c
  double lambda_;
  WeightSolver solver_;
  arma::uvec active_;
  const arma::mat* gram_;  // B'B of all nodes; null until it is needed
  arma::uvec places_;      // rows of *gram_ that belong to the active nodes
  arma::mat own_gram_;
  double change_ = 0;
};

}  // namespace elmx
