#pragma once

#include "solvers/ridge_growth.hpp"

namespace elmx {

/// Algorithm 1 of the inverse-free ELM paper: updates the regularised pseudo-inverse, eqs. (25)-(29).
///
/// State: B = H' (H H' + k0^2 I)^-1, here N x l (paper: K x l), and W = Y B.
/// Cost of a step: 6 l K + 2 M K flops in products, and the rank-one update (26).
template <class T>
class Alg1 final : public OneNodeGrowth<T> {
 public:
  explicit Alg1(const RidgeProblem<T>& problem)
      : OneNodeGrowth<T>(problem), B_(problem.H.rows, problem.H.cols, arma::fill::none) {}
  void assign(const RidgeGrowth<T>& other) override { *this = static_cast<const Alg1&>(other); }
  void apply_inverse(uword first, View<T> X) const override;
  bool at_samples_only() const override { return true; }

 private:
  void initialise(const arma::Mat<T>& Q) override;
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> B_;  // N x capacity
};

}  // namespace elmx
