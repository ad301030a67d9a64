#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "linalg/view.hpp"
#include "solvers/sparse/joint_sparse.hpp"

namespace elmx {

/// The Y step (26) of S3ELM, seen through an orthonormal basis Q of the range of H = Q B. With M = I + tau (1
/// - mu) L + tau mu J,
///
///     Y = M^-1 (H W + tau mu Y~)       min over Y of ||HW - Y||^2 + tau (1 - mu) Tr Y'LY + tau mu ||J (Y - Y~)||^2
///
/// the W step needs Q'Y alone, and the minimum is a form in V = B W = Q'HW:
///
///     Q'Y = K V + F,   K = Q'M^-1 Q,   F = tau mu Q'M^-1 Y~
///     minimum = ||V||^2 - <V, K V> - 2 <V, F> + c,   c = tau mu ||Y~||^2 - (tau mu)^2 <Y~, M^-1 Y~>
///
/// K: r x r, F: r x C. Y is eliminated: no work of size N is left in an iteration.
struct LabelSystem {
  arma::mat K;
  arma::mat F;
  double constant = 0;

  /// Q'Y of the Y step from V.
  arma::mat project(const arma::mat& V) const;
  /// The minimum over Y; Z = project(V).
  double minimum(const arma::mat& V, const arma::mat& Z) const;
  /// The same in the coordinates of P'V, for V in the range of P (orthonormal, r x s).
  LabelSystem restricted(const arma::mat& P) const;
};

/// From the resolvent form of [Q E], E the columns of I at labelled samples (N x (r + n')), with c = tau (1 -
/// mu): J is a correction of rank n,  M^-1 = R - tau mu R E (I + tau mu E'RE)^-1 E'R,  R = (I + c L)^-1.
/// labelled: the n <= n' columns of E that are meant; labels: n x C. 2 r^2 n flops.
[[nodiscard]] Status label_system(const arma::mat& form, uword r, const arma::uvec& labelled, const arma::mat& labels,
                                  double tau_mu, LabelSystem& system);

/// The variant (29), Y = HW:  lambda ||W||_{2,1} + tau (1 - mu) Tr W'H'LHW + tau mu ||J (HW - Y~)||^2  as the
/// problem of JointSparse: with T = Q'(tau (1 - mu) L + tau mu J) Q = S'S it is ||S B W - Z||^2 + lambda
/// ||W||_{2,1} + constant, S'Z = tau mu Q'Y~.
struct ConstrainedSystem {
  arma::mat S;  // r x r
  arma::mat Z;  // r x C
  double constant = 0;

  arma::mat project(const arma::mat&) const { return Z; }
  double minimum(const arma::mat& V, const arma::mat&) const;
  ConstrainedSystem restricted(const arma::mat& P) const;
};

/// T = a Q'LQ + b Q'JQ, S'Z = b Q'Y~.   QtLQ = Q'LQ: r x r; Ql: n x r, the rows of Q at the labelled samples;
/// a = tau (1 - mu), b = tau mu. 10 r^3 flops.
[[nodiscard]] Status constrained_system(const arma::mat& QtLQ, const arma::mat& Ql, const arma::mat& labels, double a,
                                        double b, ConstrainedSystem& system);

struct S3elmOptions {
  double lambda = 1e-4;
  double epsilon = 1e-5;         ///< ends where ||W_new - W||_F^2 <= epsilon
  std::size_t iterations = 200;  ///< at most
  double prune_below = 1e-5;     ///< nodes with ||w_i|| below this go after each W step; 0: none
  /// at the end only so many of the largest rows are kept and fitted to Y again; 0: all
  uword keep = 0;
  WeightSolver solver = WeightSolver::automatic;
};

struct S3elmFit {
  arma::uvec active;  ///< nodes that are left, ascending
  arma::mat W;        ///< their weights: s x C
  std::size_t iterations = 0;
  /// minimum over Y at the first W and after each iteration; the last is that of `W`
  std::vector<double> objective;
  double rise = 0;  ///< largest relative increase of it from one iteration to the next
};

/// Algorithm 1: from W0 alternately Y step, W step, pruning. Bt = B': L x r. all_pruned where no node is
/// left: lambda is too large. not_decreasing where the objective rises by more than pruning and rounding
/// explain, the last iteration included; a fit of the rows that are kept is no step of it. An iteration costs
/// 2 r^2 C + 4 r s C flops and the W step (JointSparse); once a quarter of the r dimensions are enough for
/// the nodes that are left, the others are dropped. gram: H'H, L x L, or null.
[[nodiscard]] Status train_s3elm(const LabelSystem& system, const arma::mat& Bt, const arma::mat& W0,
                                 const S3elmOptions& options, S3elmFit& fit, const arma::mat* gram = nullptr);

/// The same for the variant (29); no Y step.
[[nodiscard]] Status train_s3elm(const ConstrainedSystem& system, const arma::mat& Bt, const arma::mat& W0,
                                 const S3elmOptions& options, S3elmFit& fit);

}  // namespace elmx
