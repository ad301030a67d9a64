#pragma once

#include "nets/optimisers/optimiser.hpp"

namespace elmx {

/// The options of RLS for one layer.
struct RlsOptions {
  double forgetting = 1;  ///< lambda of the paper, in (0, 1]
  double k = 0.1;         ///< the batch average of x x' is taken as k times the product of the averages
  double eta = 1;         ///< factor of the step
  double momentum = 0;    ///< alpha (99); 0 = none
  double l1 = 0;          ///< gamma (98); 0 = none
  bool l1_bias = true;    ///< also shrink the row of the bias, as printed
  bool bias_in_p = true;  ///< the averages in P end with 1 for the bias, as printed; false: with 0
  /// P is not divided by the forgetting factor while its trace exceeds this; 0 = always divided
  double p_trace_max = 0;
};

/// Returns true if P D costs less as (P X') dZ, 2 q^2 B + 2 q B r flops, than directly, 2 q^2 r.   X: B x q,
/// dZ: B x r.
inline bool cheaper_by_factors(double q, double r, double B) { return B * (1 + r / q) < r; }

/// Recursive least squares for one parameter matrix by average approximation, with x the mean of the rows of
/// X (last entry 1), kappa = k times the number of steps, and D the gradient:
///
///     u = P x,   h = lambda + kappa x'u
///     Omega = alpha Omega - eta / h P D                          (63), (97), (99)
///     P     = (P - kappa / h u u') / lambda                      (53), (94)
///     Theta = Theta + Omega - gamma P sgn(Theta)                 (98), (100): the new P, the old Theta
///
/// Without the bias in P, the row and column of the bias stay as in I / lambda^steps: the bias takes steps of
/// eta / (h lambda^steps), which for lambda < 1 grow until p_trace_max stops the growth.
///
/// State: P: q x q, inverse of A = lambda A_before + kappa x x', A_0 = I. Both triangles are kept, and P
/// changes only by products v_i v_j with v = sqrt(kappa / h) u, so P is symmetric to the last bit. The change
/// removes the part kappa x'u / h < 1 of P in the direction u, so P stays positive definite as long as
/// x'u > 0 can be computed. In float, kappa ||x||^2 must therefore be far below 1 / eps = 8e6 (pixels in
/// 0 .. 1, not in 0 .. 255), and in directions that no average has, P must not grow beyond that by the factor
/// 1 / lambda of each step (p_trace_max). Otherwise P becomes NaN, and Theta one step later.
///
/// P D is formed as (P X') dZ if that is cheaper: B (1 + r / q) < r, with B rows of X. Cost: 2 q^2 min(r,
/// B) + 5 q^2 flops; with L1 alone 2 q^2 r + 5 q^2, with L1 and momentum 2 q^2 r more. Memory: q^2, with
/// momentum + q r.
template <class T>
class Rls final : public Optimiser<T> {
 public:
  /// rows: B of a full batch.
  Rls(const RlsOptions& options, Parameter<T>& parameter, uword rows);

  void update(Parameter<T>& parameter, T clip, std::size_t step) override;
  std::vector<std::span<T>> state() override;
  double growth_of_P() const override;

  const arma::Mat<T>& P() const { return P_; }

 private:
  /// Computes C = alpha P D + beta C.
  void multiply(T alpha, const Parameter<T>& parameter, T beta, arma::Mat<T>& C);
  arma::Mat<T> signs(const Parameter<T>& parameter) const;
  void update_P(const arma::Col<T>& u, double gain, double divisor);

  RlsOptions options_;
  arma::Mat<T> P_;
  arma::Mat<T> Omega_;
  arma::Mat<T> PX_;  // buffer for P X': q x B
};

}  // namespace elmx
