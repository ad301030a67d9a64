#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// The problem min over Lambda of 1/2 ||H Lambda - T||_F^2 + tau/2 ||Lambda||_F^2   (7).   H: P x N, T:
/// P x C, Lambda: N x C.
struct OutputProblem {
  View<const double> H;
  View<const double> T;
  double tau;
};

/// Computes Lambda = (H'H + tau I)^-1 H'T by Cholesky.   P N^2 + 2 P N C flops.
[[nodiscard]] Status solve_by_cholesky(const OutputProblem& problem, arma::mat& Lambda);

/// Computes Lambda by QR of [H; sqrt(tau) I], which does not square the condition number.   2 P N^2 flops.
[[nodiscard]] Status solve_by_qr(const OutputProblem& problem, arma::mat& Lambda);

struct CgOptions {
  double tolerance = 1e-6;
  std::size_t iterations = 0;  ///< most iterations for each output; 0 = 10 N
  /// stop by (38) as printed, with the residual of the least-squares problem, which does not vanish
  bool literal = false;
  double gradient = 0;  ///< if not 0: continue until also ||gradient|| <= this, the test xi^k of Algorithm 3
};

/// Improves the given Lambda by conjugate gradients on the normal equations, one output after another, until
///
///     ||H~'(H~ lambda - u)|| <= tolerance ||H~'u||,     H~ = [H; sqrt(tau) I], u = [t; 0]
///
/// The error never increases from one iterate to the next.   4 P N flops per iteration and output. Returns
/// the number of iterations.
std::size_t minimise_by_cg(const OutputProblem& problem, const CgOptions& options, arma::mat& Lambda);

}  // namespace elmx
