#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "linalg/decompositions.hpp"
#include "linalg/view.hpp"
#include "solvers/sparse/joint_sparse.hpp"

namespace elmx {

/// The Y step (26) of S3ELM, seen through an orthonormal basis Q of the range of H = Q B. With M = I + tau
/// (1 - mu) L + tau mu J, Y = M^-1 (H W + tau mu Y~) is the minimiser over Y of
///
///     ||HW - Y||^2 + tau (1 - mu) Tr Y'LY + tau mu ||J (Y - Y~)||^2
///
/// The W step needs only Q'Y, and the minimum is a form in V = B W = Q'HW:
///
///     Q'Y = K V + F,   K = Q'M^-1 Q,   F = tau mu Q'M^-1 Y~
///     minimum = ||V||^2 - <V, K V> - 2 <V, F> + c,   c = tau mu ||Y~||^2 - (tau mu)^2 <Y~, M^-1 Y~>
///
/// K: r x r, F: r x C. Y is eliminated, so an iteration has no work of size N.
struct LabelSystem {
  arma::mat K;
  arma::mat F;
  double constant = 0;

  /// Returns Q'Y of the Y step from V.
  arma::mat project(const arma::mat& V) const;
  /// Returns the minimum over Y; Z = project(V).
  double minimum(const arma::mat& V, const arma::mat& Z) const;
  /// Returns the system in the coordinates P'V, for V in the range of P (orthonormal, r x s).
  LabelSystem restricted(const arma::mat& P) const;
};

/// Computes the system from the resolvent form of [Q E], E the columns of I at labelled samples
/// (N x (r + n')), with c = tau (1 - mu). J is a correction of rank n:  M^-1 = R - tau mu R E (I + tau mu
/// E'RE)^-1 E'R,  R = (I + c L)^-1. labelled: the n <= n' columns of E in use; labels: n x C. 2 r^2 n flops.
[[nodiscard]] Status label_system(const arma::mat& form, uword r, const arma::uvec& labelled, const arma::mat& labels,
                                  double tau_mu, LabelSystem& system);

/// The variant (29), Y = HW:  lambda ||W||_{2,1} + tau (1 - mu) Tr W'H'LHW + tau mu ||J (HW - Y~)||^2  as a
/// problem for JointSparse. With T = Q'(tau (1 - mu) L + tau mu J) Q = S'S it is ||S B W - Z||^2 + lambda
/// ||W||_{2,1} + constant, S'Z = tau mu Q'Y~.
struct ConstrainedSystem {
  arma::mat S;  // r x r
  arma::mat Z;  // r x C
  double constant = 0;

  arma::mat project(const arma::mat&) const { return Z; }
  double minimum(const arma::mat& V, const arma::mat&) const;
  ConstrainedSystem restricted(const arma::mat& P) const;
};

/// Computes the system from T = a Q'LQ + b Q'JQ, S'Z = b Q'Y~.   QtLQ = Q'LQ: r x r; Ql: n x r, the rows of Q
/// at the labelled samples; a = tau (1 - mu), b = tau mu. 10 r^3 flops.
[[nodiscard]] Status constrained_system(const arma::mat& QtLQ, const arma::mat& Ql, const arma::mat& labels, double a,
                                        double b, ConstrainedSystem& system);

struct S3elmOptions {
  double lambda = 1e-4;
  double epsilon = 1e-5;         ///< stops if ||W_new - W||_F^2 <= epsilon
  std::size_t iterations = 200;  ///< most iterations
  double prune_below = 1e-5;     ///< nodes with ||w_i|| below this are removed after each W step; 0: none
  /// keep only this number of largest rows at the end and fit them to Y again; 0: keep all
  uword keep = 0;
  WeightSolver solver = WeightSolver::automatic;
};

struct S3elmFit {
  arma::uvec active;  ///< remaining nodes, ascending
  arma::mat W;        ///< their weights: s x C
  std::size_t iterations = 0;
  /// minimum over Y at the first W and after each iteration; the last entry belongs to W
  std::vector<double> objective;
  double rise = 0;  ///< largest relative increase of the objective in one iteration
};

/// Performs Algorithm 1: from W0 alternately Y step, W step and pruning. Bt = B': L x r; gram: H'H, L x L, or
/// null. Returns all_pruned if no node remains (lambda is too large), and not_decreasing if any iteration
/// raises the objective by more than pruning and rounding explain. The final fit of the kept rows is not an
/// iteration. An iteration costs 2 r^2 C + 4 r s C flops and the W step (JointSparse). Once a quarter of the
/// r dimensions suffices for the remaining nodes, the others are dropped.
[[nodiscard]] Status train_s3elm(const LabelSystem& system, const arma::mat& Bt, const arma::mat& W0,
                                 const S3elmOptions& options, S3elmFit& fit, const arma::mat* gram = nullptr);

/// Performs the same algorithm for the variant (29), without a Y step.
[[nodiscard]] Status train_s3elm(const ConstrainedSystem& system, const arma::mat& Bt, const arma::mat& W0,
                                 const S3elmOptions& options, S3elmFit& fit);

/// SELM (16): the published formula  W = [(J + lambda L) H]^+ J Y~  for one hidden matrix H = Q B, one graph
/// and any lambda. The QR of the unlabelled rows of L Q, R_u, is computed once (2 N r^2 flops). Each lambda
/// is then the least-squares problem
///
///     [ lambda R_u              ]       [ 0  ]
///     [ lambda (L Q)_l + Q_l    ] V  =  [ Y^ ],   W = B^+ V
///
/// with n rows below a triangle (LAPACK tpqrt): 2 r^2 n flops. If the resulting triangle R has a condition
/// number beyond 1 / (eps max(N, L)), (R B)^+ is formed by singular values, with that threshold.
class ApproximateSelm {
 public:
  /// LQ = L Q: N x r; labelled: positions of the n labelled samples, ascending; labels: n x C. basis and lift
  /// must outlive the object.
  ApproximateSelm(const RangeBasis& basis, const MinimumNormLift& lift, const arma::mat& LQ, const arma::uvec& labelled,
                  const arma::mat& labels);

  /// Computes W: L x C.
  [[nodiscard]] Status solve(double lambda, arma::mat& W) const;

 private:
  const RangeBasis& basis_;
  const MinimumNormLift& lift_;
  arma::mat Ru_;   // r x r, upper triangle
  arma::mat LQl_;  // n x r
  arma::mat Ql_;
  arma::mat labels_;
  double tolerance_;
};

/// Computes the exact minimiser  W = [H'(J + lambda L) H]^+ H'J Y~  of  ||J (HW - Y~)||^2 / 2 + lambda / 2 Tr
/// W'H'LHW. QtLQ = Q'LQ: r x r; Ql: rows of Q at the labelled samples. 10 r^3 flops and the singular values
/// of an r x L matrix.
[[nodiscard]] Status exact_selm(const RangeBasis& basis, const arma::mat& QtLQ, const arma::mat& Ql,
                                const arma::mat& labels, double lambda, arma::mat& W);

}  // namespace elmx
