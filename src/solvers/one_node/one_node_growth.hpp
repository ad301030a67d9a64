#pragma once

#include <memory>
#include <optional>
#include <string>

#include "linalg/blas.hpp"
#include "linalg/gram.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

class FieldVisitor;

inline constexpr uword kSerialWrites = 65536;  // below this many numbers one thread is faster

/// Grows one node at a time by the recursion of a paper: the common part of existing and algorithms 1 to 3.
///
/// The letters are as in the paper: l nodes, K samples, M outputs, H the transpose of A (l x K),
/// lambda = k0^2. W (M x l) is stored as in the paper, so that a new node appends one contiguous column. The
/// samples must be stored. On any status but ok the state is undefined.
template <class T>
class OneNodeGrowth : public GrowingRidge<T> {
 public:
  /// A: K x capacity, Y: K x M; both must outlive the object.
  OneNodeGrowth(View<const T> A, View<const T> targets, double lambda)
      : A_(A), targets_(targets), lambda_(lambda), W_(targets.cols, A.cols), p_(A.cols) {}

  /// Adds the new nodes. The first call may add any number of nodes, every later call one.
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) final;
  arma::Mat<T> weights() const final { return W_.head_cols(l_).t(); }

  /// Returns a copy of the state, for repeated measurements of one step.
  virtual std::unique_ptr<OneNodeGrowth> copy() const = 0;

  /// Copies the state of `other`, of the same algorithm and problem, into existing memory.
  virtual void assign(const OneNodeGrowth& other) = 0;

 protected:
  OneNodeGrowth(const OneNodeGrowth&) = default;
  OneNodeGrowth& operator=(const OneNodeGrowth&) = default;

  /// Forms the state of l_ nodes from Q = (H'H + lambda I)^-1 (l x l, both triangles) and W_.
  virtual void initialise(const arma::Mat<T>& Q) = 0;

  /// Performs one step l -> l + 1 with h (K) of the new node, p = H h (21) and g = h'h + lambda. Writes W_.
  [[nodiscard]] virtual Status step(const T* h, const T* p, T g) = 0;

  /// Returns w of (30b), tau (Y h - W p), which becomes column l of W_.
  arma::Col<T> new_output_weights(const T* h, const T* p, T tau) const;

  /// Returns H': K x l.
  View<const T> H() const { return A_.head_cols(l_); }

  View<const T> A_, targets_;
  double lambda_;
  uword l_ = 0;
  arma::Mat<T> W_;  // M x capacity
  arma::Col<T> p_;  // capacity

 private:
  [[nodiscard]] Status start(uword l);
};

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

/// Factorises Q = L D L', L unit upper triangular and D diagonal. Writes the strict upper triangle of L and
/// the diagonal d of D.   Q, L: l x l, d: l.
template <class T>
void factor_inverse(arma::Mat<T> Q, View<T> L, T* d);

/// The recursions of the inverse-free ELM papers.
enum class NodeRecursion { existing, alg1, alg2, alg3 };

/// The option of the algorithms that add single nodes.
struct ProductOptions {
  std::optional<std::string> products = {};  ///< "symmetric" (the default) or "full"

  bool full() const { return products == "full"; }
  void fields(FieldVisitor& field);
};

/// Makes the solver of a recursion: with symmetric products, or with full products (see full_products.cpp).
template <class T>
std::unique_ptr<OneNodeGrowth<T>> make_recursion(NodeRecursion which, View<const T> A, View<const T> targets,
                                                 double lambda);
template <class T>
std::unique_ptr<OneNodeGrowth<T>> make_full_recursion(NodeRecursion which, View<const T> A, View<const T> targets,
                                                      double lambda);

}  // namespace elmx
