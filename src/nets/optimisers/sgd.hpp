#pragma once

#include "nets/optimisers/optimiser.hpp"

namespace elmx {

class FieldVisitor;

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

}  // namespace elmx
