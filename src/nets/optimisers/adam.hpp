#pragma once

#include "nets/optimisers/optimiser.hpp"

namespace elmx {

class FieldVisitor;

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
