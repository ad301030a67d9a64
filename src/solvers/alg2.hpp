#pragma once

#include "solvers/ridge_growth.hpp"

namespace elmx {

/// Algorithm 2 of the inverse-free ELM paper: updates the unique inverse, eqs. (24) and (30).
///
/// State: Q = (H H' + k0^2 I)^-1, l x l, its upper triangle; W: M x l.
/// Cost of a step: 2 l K + 2 M K flops, and O(l^2) for Q. The drift of the recursive inverse (about 1e-6 after 500
/// steps) is a finding of the paper and left as it is.
template <class T>
class Alg2 final : public OneNodeGrowth<T> {
 public:
  explicit Alg2(const RidgeProblem<T>& problem) : OneNodeGrowth<T>(problem), Q_(problem.H.cols, problem.H.cols) {}
  void assign(const RidgeGrowth<T>& other) override { *this = static_cast<const Alg2&>(other); }
  void apply_inverse(uword first, View<T> X) const override;

 private:
  void initialise(const arma::Mat<T>& Q) override;
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> Q_;  // capacity x capacity
};

}  // namespace elmx
