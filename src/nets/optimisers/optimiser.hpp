#pragma once

#include <span>
#include <vector>

#include "nets/layers/layer.hpp"

namespace elmx {

class FieldVisitor;

/// The update rule of one parameter matrix. Every matrix has an optimiser of its own.
template <class T>
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// Updates Theta in step s = 1, 2, ... by the gradient of the batch times `clip` (<= 1).
  virtual void update(Parameter<T>& parameter, T clip, std::size_t step) = 0;

  /// Returns everything that the optimiser remembers from step to step.
  virtual std::vector<std::span<T>> state() = 0;

  /// Returns the trace of the matrix P of RLS over its trace before the first step; 1 for other optimisers.
  virtual double growth_of_P() const { return 1; }
};

struct SgdOptions {
  double rate = 0.1;
  double momentum = 0.9;

  void fields(FieldVisitor& field);
};

/// Gradient descent with momentum:   Omega = momentum Omega - rate g,   Theta = Theta + Omega.
template <class T>
class Sgd final : public Optimiser<T> {
 public:
  Sgd(const SgdOptions& options, Parameter<T>& parameter);

  void update(Parameter<T>& parameter, T clip, std::size_t step) override;
  std::vector<std::span<T>> state() override { return {{Omega_.memptr(), Omega_.n_elem}}; }

 private:
  SgdOptions options_;
  arma::Mat<T> Omega_;  // q x r
};

struct AdamOptions {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;

  void fields(FieldVisitor& field);
};

/// The Adam optimiser without weight decay:
///
///     m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g^2,
///     theta = theta - rate / (1 - beta1^s) m / (sqrt(v / (1 - beta2^s)) + epsilon)
///
/// Kingma, Ba: Adam, a method for stochastic optimization (ICLR 2015), Algorithm 1.
template <class T>
class Adam final : public Optimiser<T> {
 public:
  Adam(const AdamOptions& options, Parameter<T>& parameter);

  void update(Parameter<T>& parameter, T clip, std::size_t step) override;
  std::vector<std::span<T>> state() override;

 private:
  AdamOptions options_;
  arma::Mat<T> m_, v_;  // q x r
};

}  // namespace elmx
