#pragma once

#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {

/// Algorithm 1 of the inverse-free ELM paper: updates the regularised pseudo-inverse, eqs. (25)-(29).
///
/// State: B = H' (H H' + k0^2 I)^-1, K x l, and W = Y B.
/// Cost of a step: 6 l K + 2 M K flops in products, and the rank-one update (26).
template <class T>
class Alg1 final : public OneNodeGrowth<T> {
 public:
  Alg1(View<const T> A, View<const T> targets, double lambda)
      : OneNodeGrowth<T>(A, targets, lambda), B_(A.rows, A.cols, arma::fill::none) {}
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Alg1>(*this); }
  void apply_inverse(uword first, View<T> X) const override;
  bool at_samples_only() const override { return true; }

 private:
  void initialise(const arma::Mat<T>& Q) override;
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> B_;  // K x capacity
};

}  // namespace elmx
