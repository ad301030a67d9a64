#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// How the reweighted step is solved; auto takes whichever needs fewer flops.
enum class WeightSolver { automatic, gram, dual };

/// min_W ||B W - Z||_F^2 + lambda ||W||_{2,1},  ||W||_{2,1} = sum_i ||w_i||_2 over the rows, by reweighted
/// steps (27), (28):
///
///     W <- (B'B + lambda U)^-1 B'Z,   U = diag(1 / (2 ||w_i||))
///
/// B: r x L, W: L x c, Z: r x c, which may change from step to step. A step never increases the objective.
/// With D = diag(d_i), d_i = 2 ||w_i||, and s active nodes it is one of
///
///     gram   W = D^1/2 (D^1/2 B'B D^1/2 + lambda I)^-1 D^1/2 B'Z     s^3 / 3 flops; B'B is formed once, pruned nodes
///     are left out
///     dual   W = D B' (lambda I + B D B')^-1 Z                         r^2 s + r^3 / 3 flops
///
/// Neither divides by ||w_i||; all eigenvalues of what is factorised are at least lambda. A row that is 0
/// stays 0.
class JointSparse {
 public:
  /// Bt = B': L x r; W: L x c, where the iteration begins; gram: B'B, L x L, which outlives the object, or
  /// null.
  JointSparse(arma::mat Bt, arma::mat W, double lambda, WeightSolver solver, const arma::mat* gram = nullptr);
  JointSparse(const JointSparse&) = delete;
  JointSparse& operator=(const JointSparse&) = delete;

  /// One step. not_positive_definite where rounding has eaten lambda; W is then as before.
  [[nodiscard]] Status step(const arma::mat& Z);

  /// ||W_new - W||_F^2 of the last step.
  double change() const { return change_; }

  /// Removes every node with ||w_i|| < threshold. What they had in V = B W is returned: r x c.
  arma::mat prune(double threshold);

  /// Removes all but the `nodes` nodes of largest ||w_i|| and fits the others without regularisation: W = B^+
  /// Z.
  [[nodiscard]] Status keep_largest(uword nodes, const arma::mat& Z);

  /// Numbers of the nodes that are left, ascending; row k of W is that of node active()(k).
  const arma::uvec& active() const { return active_; }
  const arma::mat& W() const { return W_; }

  /// V = B W: r x c.
  arma::mat V() const;

  /// Takes the range of B as the new space: B_old = Q B_new with orthonormal Q, r x s, which is returned.
  /// Needs s <= r; Z and V are then s x c, Q'Z for the Z of before. 4 r s^2 flops.
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
