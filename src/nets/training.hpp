#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nets/loss.hpp"
#include "nets/network.hpp"
#include "nets/optimisers/optimiser.hpp"

namespace elmx {

/// Gradient clipping by the L2 norm: the gradients are multiplied by min(1, threshold / (norm + 1e-6)).
struct ClipOptions {
  double threshold = 0;   ///< 0 = none
  bool by_layer = false;  ///< one norm per layer instead of one over all parameters
};

/// The result of a step.
struct StepSummary {
  double loss = 0;     ///< loss of the batch, before the step
  double norm = 0;     ///< norm of the gradients of all parameters, before clipping; 0 if it was not needed
  bool finite = true;  ///< true if loss, norm and all parameters after the step are finite
};

/// Training of a network step by step (Algorithms 1 and 2): one optimiser per parameter matrix, and all
/// gradients are computed before any change.
template <class T>
class Training {
 public:
  /// Takes one optimiser for each of network.parameters(), in their order.
  Training(Network<T> network, Loss<T> loss, ClipOptions clip, std::vector<std::unique_ptr<Optimiser<T>>> optimisers);

  /// Performs one step on a batch. X: (steps M) x (inputs + 1), targets: (output steps M) x c.
  StepSummary step(View<const T> X, View<const T> targets, uword samples);

  std::size_t steps() const { return steps_; }
  Network<T>& network() { return network_; }

  /// Returns the state on which the next step depends, except the number of steps: parameters, then the
  /// states of the optimisers.
  std::vector<std::span<T>> state();
  void set_steps(std::size_t steps) { steps_ = steps; }

  /// Returns true if a matrix P of RLS has grown to more than `limit` times its trace, or is not finite.
  bool has_wound_up(double limit) const;

 private:
  Network<T> network_;
  Loss<T> loss_;
  ClipOptions clip_;
  std::vector<std::unique_ptr<Optimiser<T>>> optimisers_;
  std::size_t steps_ = 0;
  arma::Mat<T> dZ_;
};

/// Returns ||D||_F^2 in double; for kept factors as <X X', dZ dZ'>, in 2 B^2 (q + r) flops.
template <class T>
double squared_norm(const Parameter<T>& parameter);

}  // namespace elmx
