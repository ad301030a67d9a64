#pragma once

#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {

/// Algorithm 2 of the inverse-free ELM paper: updates the unique inverse, eqs. (24) and (30).
///
/// State: Q = (H H' + k0^2 I)^-1, l x l, its upper triangle; W: M x l. Cost of a step: 2 l K + 2 M K flops,
/// and O(l^2) for Q. The paper reports the drift of the recursive inverse (about 1e-6 after 500 steps), so it
/// is not corrected.
template <class T>
class Alg2 final : public OneNodeGrowth<T> {
 public:
  Alg2(View<const T> A, View<const T> targets, double lambda)
      : OneNodeGrowth<T>(A, targets, lambda), Q_(A.cols, A.cols) {}
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Alg2>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Alg2&>(other); }
  void apply_inverse(uword first, View<T> X) const override;

 private:
  void initialise(const arma::Mat<T>& Q) override;
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> Q_;  // capacity x capacity
};

}  // namespace elmx
