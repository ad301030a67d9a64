#pragma once

#include <optional>
#include <string>

#include "solvers/one_node/pseudo_inverse_by_node.hpp"

namespace elmx {

class FieldVisitor;

/// The option of the algorithms that add single nodes.
struct ProductOptions {
  std::optional<std::string> products = {};  ///< "symmetric" (the default) or "full"

  bool full() const { return products == "full"; }
  void fields(FieldVisitor& field);
};

// The algorithms of one node as a plain MATLAB program of the paper computes them ("products": "full"), to
// compare times with the published times. Each equation is computed as printed:
//
//   - Every matrix is a full array: Q without using its symmetry, L with its unit diagonal and its zeros, and
//     D as the matrix that (33b) writes. A matrix times a vector is a general product, and a chain of factors
//     is multiplied starting from the vector.
//   - A column times a row is a separate matrix, and each sum, difference and quotient of matrices is a pass
//     over all of their numbers. The result overwrites an operand that is no longer needed, if there is one,
//     and is a new array otherwise.
//   - [B b], [W w], [Q t; t' tau] and the factors of (33) are new arrays into which the old ones are copied.
//   - Table I says how often a product is formed: H h and h'B twice in the existing algorithm, h'B once in
//     algorithm 1. Q p and L D L'p, which Table I does not count, are formed once.
//   - H is not copied: the nodes are drawn before growth begins, as for all algorithms.
//
// Products and passes run on the threads of elmx. Up to rounding, the weights equal the symmetric forms.

/// The existing algorithm, eqs. (13)-(16).   State: B, K x l; W: M x l.
template <class T>
class FullExisting final : public PseudoInverseByNode<T> {
 public:
  using PseudoInverseByNode<T>::PseudoInverseByNode;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullExisting>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullExisting&>(other); }

 private:
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;
};

/// Algorithm 1, eqs. (25)-(29).   State: B, K x l; W: M x l.
template <class T>
class FullAlg1 final : public PseudoInverseByNode<T> {
 public:
  using PseudoInverseByNode<T>::PseudoInverseByNode;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullAlg1>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullAlg1&>(other); }

 private:
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;
};

/// Algorithm 2, eqs. (22), (24) and (30).
template <class T>
class FullAlg2 final : public OneNodeGrowth<T> {
 public:
  using OneNodeGrowth<T>::OneNodeGrowth;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullAlg2>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullAlg2&>(other); }
  void apply_inverse(uword first, View<T> X) const override;

 private:
  void initialise(const arma::Mat<T>& Q) override { Q_ = Q; }
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> Q_;  // (H H' + k0^2 I)^-1, l x l
};

/// Algorithm 3, eqs. (33), (34) and (36).
template <class T>
class FullAlg3 final : public OneNodeGrowth<T> {
 public:
  using OneNodeGrowth<T>::OneNodeGrowth;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullAlg3>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullAlg3&>(other); }
  void apply_inverse(uword first, View<T> X) const override;

 private:
  void initialise(const arma::Mat<T>& Q) override;
  [[nodiscard]] Status step(const T* h, const T* p, T g) override;

  arma::Mat<T> L_, D_;  // L D L' = (H H' + k0^2 I)^-1, each l x l: unit upper triangular, and diagonal
};

}  // namespace elmx
