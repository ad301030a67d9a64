#pragma once

#include "solvers/one_node/pseudo_inverse_by_node.hpp"

namespace elmx {

/// Algorithm 1 of the inverse-free ELM paper: updates the regularised pseudo-inverse, eqs. (25)-(29).
///
/// Cost of a step: 6 l K + 2 M K flops in products, and the rank-one update (26).
template <class T>
class Alg1 final : public PseudoInverseByNode<T> {
 public:
  using PseudoInverseByNode<T>::PseudoInverseByNode;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Alg1>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Alg1&>(other); }

 private:
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;
};

}  // namespace elmx
