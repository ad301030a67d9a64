#pragma once

#include "nets/optimisers/optimiser.hpp"

namespace elmx {

/// Of one layer.
struct RlsOptions {
  double forgetting = 1;  ///< lambda of the paper, in (0, 1]
  double k = 0.1;         ///< the batch average of x x' is taken as k times the product of the averages
  double eta = 1;         ///< multiplies the step
  double momentum = 0;    ///< alpha (99); 0 = none
  double l1 = 0;          ///< gamma (98); 0 = none
  bool l1_bias = true;    ///< whether the row of the bias is shrunk too, as printed
  bool bias_in_p = true;  ///< the averages in P end with 1 for the bias, as printed; false: with 0
  /// P is not divided by the forgetting factor while its trace is above this; 0 = always
  double p_trace_max = 0;
};

/// True if P D costs less as (P X') dZ, 2 q^2 B + 2 q B r flops, than as it stands, 2 q^2 r.   X: B x q, dZ:
/// B x r.
inline bool cheaper_by_factors(double q, double r, double B) { return B * (1 + r / q) < r; }

/// Recursive least squares for one parameter matrix by average approximation. With x the mean of the rows of
/// X (last entry 1), kappa = k times the number of steps, D the gradient:
///
///     u = P x,   h = lambda + kappa x'u
///     Omega = alpha Omega - eta / h P D                          (63), (97), (99)
///     P     = (P - kappa / h u u') / lambda                      (53), (94)
///     Theta = Theta + Omega - gamma P sgn(Theta)                 (98), (100): the new P, the old Theta
///
/// Without the bias in P its row and column stay those of I / lambda^steps: the bias takes steps of
/// eta / (h lambda^steps), which with lambda < 1 grow until p_trace_max ends it.
///
/// State: P: q x q, inverse of A = lambda A_before + kappa x x', A_0 = I. Both triangles are kept, and P is
/// changed by products v_i v_j with v = sqrt(kappa / h) u alone: it is symmetric to the last bit. The change
/// takes from the one direction u the part kappa x'u / h < 1 of what P has there, so P is positive definite
/// as far as x'u > 0 can be computed: in float kappa ||x||^2 must be far below 1 / eps = 8e6 (pixels of 0 ..
/// 1, not of 0 .. 255), and where no average ever points P must not wind up by 1 / lambda each step beyond
/// that (p_trace_max). Otherwise P ends as not a number, and so does Theta one step later.
///
/// P D is formed as (P X') dZ where that is cheaper: B (1 + r / q) < r, with B rows of X. Cost: 2 q^2 min(r,
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
  /// C = alpha P D + beta C
  void multiply(T alpha, const Parameter<T>& parameter, T beta, arma::Mat<T>& C);
  arma::Mat<T> signs(const Parameter<T>& parameter) const;
  void update_P(const arma::Col<T>& u, double gain, double divisor);

  RlsOptions options_;
  arma::Mat<T> P_;
  arma::Mat<T> Omega_;
  arma::Mat<T> PX_;  // room for P X': q x B
};

}  // namespace elmx
