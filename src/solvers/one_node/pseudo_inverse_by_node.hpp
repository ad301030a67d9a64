#pragma once

#include "linalg/blas.hpp"
#include "linalg/lower_stored.hpp"
#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {

/// Growth with the regularised pseudo-inverse B = H' (H H' + k0^2 I)^-1, K x l, and W = Y B as its state.
template <class T>
class PseudoInverseByNode : public OneNodeGrowth<T> {
 public:
  PseudoInverseByNode(View<const T> A, View<const T> targets, double lambda)
      : OneNodeGrowth<T>(A, targets, lambda), B_(A.rows, A.cols, arma::fill::none) {}
  void apply_inverse(uword first, View<T> X) const override {
    transpose(View<const T>(B_).block(first, 0, X.cols, X.rows), X);
  }
  bool at_samples_only() const override { return true; }

 protected:
  arma::Mat<T> B_;  // K x capacity

 private:
  void initialise(const arma::Mat<T>& Q) override {
    gemm(Op::none, Op::none, T(1), this->H(), Q, T(0), View<T>(B_).head_cols(this->l_));  // B = H'Q (19)
  }
};

}  // namespace elmx
