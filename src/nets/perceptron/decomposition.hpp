#pragma once

#include <optional>

#include "nets/perceptron/output_weights.hpp"
#include "nets/perceptron/schemes.hpp"
#include "nets/perceptron/unit_step.hpp"

namespace elmx {

enum class OutputSolver { cholesky, qr, cg };

struct DecompositionOptions {
  UnitStepOptions unit;
  double theta = 1e-3;  ///< a unit is skipped if the norm of its gradient is at most theta^k
  double xi = 0;        ///< if not 0, conjugate gradients continue until ||gradient|| <= xi^k
  OutputSolver outputs = OutputSolver::cholesky;
  CgOptions cg;
  UnitOrder order = UnitOrder::given;
  Rng rng{1, Purpose::order};  ///< for the random order
};

/// Training by decomposition (Algorithm 1, DAM, and its special case DEC, Algorithm 3): the error (5) is
/// minimised over blocks of weights in turn and never increases.
///
/// State after every call that returns ok:
///
///     H = g(X W)             P x N
///     R = H Lambda - Y       P x C
///     k = block steps so far, the paper's iteration index
///
/// Cost of one major step of DEC with I inner iterations per unit: N ((6 + 4 I) P n + 8 P C) + P N^2 flops.
/// Memory: P (N + 2 C) numbers.
class Decomposition {
 public:
  /// Lambda: N x C, the start of conjugate gradients. X and Y of the problem must outlive the object.
  Decomposition(const PerceptronProblem& problem, arma::mat W, arma::mat Lambda, const Scheme& scheme,
                const DecompositionOptions& options);

  /// Performs the opening blocks, or the next major step.
  [[nodiscard]] Status major_step();

  /// Performs the next block step of the scheme: the input weights of L, then the output weights of J. Does
  /// nothing if the scheme has ended.
  [[nodiscard]] Status block_step();

  /// Minimises over the input weights of one unit (step B), with the threshold theta^k.
  UnitStep minimise_unit(uword j);

  /// Minimises over the output weights of the units J (step A), all others fixed, exactly or by conjugate
  /// gradients.
  [[nodiscard]] Status minimise_outputs(const Units& J);

  const arma::mat& W() const { return W_; }
  const arma::mat& Lambda() const { return Lambda_; }
  const arma::mat& H() const { return H_; }
  const arma::mat& R() const { return R_; }
  std::size_t k() const { return k_; }

  /// Returns E (5) from H and R: O(P C).
  double error() const;

  /// Returns ||(grad_Lambda, grad_W)|| by definition: 4 P N (n + C) flops.
  double gradient_norm() const;

 private:
  struct Gradients {
    arma::mat W, Lambda;
  };
  Gradients gradients() const;
  void arrange_units();
  void minimise_all_units();
  void minimise_output(uword j);
  [[nodiscard]] Status solve_outputs(const OutputProblem& problem, arma::mat& Lambda) const;

  PerceptronProblem problem_;
  Scheme scheme_;
  DecompositionOptions options_;
  arma::mat W_;       // n x N
  arma::mat Lambda_;  // N x C
  arma::mat H_;       // P x N
  arma::mat R_;       // P x C
  std::size_t k_ = 0;
  arma::uvec units_;  // the units of this sweep, in their order
};

}  // namespace elmx
