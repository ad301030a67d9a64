#pragma once

#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {

/// The inverse-free algorithm of Li et al. (2016), eqs. (13)-(16): the yardstick of the speed-ups.
///
/// State: B = H' (H H' + k0^2 I)^-1, K x l, and W = Y B. Cost of a step: 16 l K + 2 M l K flops, the eight products of
/// (15) and (16) as they are written there (H h and h'B stand twice and are formed twice), and W recomputed in full by
/// (13).
template <class T>
class Existing final : public OneNodeGrowth<T> {
 public:
  Existing(View<const T> A, View<const T> targets, double lambda);
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Existing>(*this); }
  void apply_inverse(uword first, View<T> X) const override;
  bool at_samples_only() const override { return true; }

 private:
  void initialise(const arma::Mat<T>& Q) override;
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> B_;  // K x capacity
  arma::Mat<T> D_;  // K x capacity, the first term of (15)
};

}  // namespace elmx
