#pragma once

#include "solvers/one_node/pseudo_inverse_by_node.hpp"

namespace elmx {

/// The inverse-free algorithm of Li et al. (2016), eqs. (13)-(16): the baseline of the speed-ups.
///
/// Cost of a step: 16 l K + 2 M l K flops, the eight products of (15) and (16) as printed (H h and h'B occur
/// twice and are formed twice), and W recomputed in full by (13).
template <class T>
class Existing final : public PseudoInverseByNode<T> {
 public:
  Existing(View<const T> A, View<const T> targets, double lambda)
      : PseudoInverseByNode<T>(A, targets, lambda), D_(A.rows, A.cols, arma::fill::none) {}
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Existing>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Existing&>(other); }

 private:
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> D_;  // K x capacity, the first term of (15)
};

}  // namespace elmx
