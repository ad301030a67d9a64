#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nets/layers/layer.hpp"
#include "nets/loss.hpp"
#include "nets/optimisers/optimiser.hpp"

namespace elmx {

/// Thousands of samples, one per column, from which the signals of batches are gathered. A sample of S steps
/// of F features begins with the features of step 1.
template <class T>
class Samples {
 public:
  /// columns: (S F) x n.
  Samples(arma::Mat<T> columns, uword steps) : columns_(std::move(columns)), steps_(steps) {}

  uword size() const { return columns_.n_cols; }
  uword features() const { return columns_.n_rows / steps_; }
  uword steps() const { return steps_; }

  /// Gathers the samples `chosen` as a signal without the last column: (S M) x F into the first columns of
  /// `out`, which are one block.
  void gather(std::span<const std::uint64_t> chosen, View<T> out) const;

 private:
  arma::Mat<T> columns_;
  uword steps_;
};

/// A sequence of layers.
template <class T>
class Network {
 public:
  explicit Network(const Shape& input) : input_(input) {}

  /// Appends a layer, whose input is `output()`.
  void add(std::unique_ptr<Layer<T>> layer) { layers_.push_back(std::move(layer)); }

  const Shape& input() const { return input_; }
  Shape output() const { return layers_.empty() ? input_ : layers_.back()->output(); }

  /// Returns the outputs for a signal X of M samples, which must live until `backward`: (steps
  /// M) x (outputs + 1), last column 1.
  View<const T> forward(View<const T> X, uword samples);

  /// Computes the gradients of all parameters from dZ, the gradient with respect to the outputs (steps
  /// M x outputs; overwritten). Call it after `forward`.
  void backward(View<T> dZ);

  /// Returns the parameters, layer by layer.
  std::vector<Parameter<T>*> parameters();

 private:
  Shape input_;
  std::vector<std::unique_ptr<Layer<T>>> layers_;
  uword samples_ = 0;
  std::vector<arma::Mat<T>> gradients_;  // with respect to the input of layer l
};

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
