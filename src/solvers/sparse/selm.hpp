#pragma once

#include "linalg/range_basis.hpp"
#include "linalg/view.hpp"

namespace elmx {

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
