#pragma once

#include <memory>

#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

inline constexpr uword kSerialWrites = 65536;  // numbers that one thread writes faster than several are woken

/// Grows one node at a time by the recursion of a paper: the part that existing and algorithms 1 to 3 share.
///
/// The letters are the paper's: l nodes, K samples, M outputs, H the transpose of A (l x K), lambda = k0^2.
/// Its W (M x l) is stored as such, so that a new node appends one contiguous column. The samples must be
/// stored. On any status but ok the state is void.
template <class T>
class OneNodeGrowth : public GrowingRidge<T> {
 public:
  /// A: K x capacity, Y: K x M; both must outlive the object.
  OneNodeGrowth(View<const T> A, View<const T> targets, double lambda)
      : A_(A), targets_(targets), lambda_(lambda), W_(targets.cols, A.cols), p_(A.cols) {}

  /// The first call may add any number of nodes, every other one.
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) final;
  arma::Mat<T> weights() const final { return W_.head_cols(l_).t(); }

  /// The same state, for repeated measurements of one step.
  virtual std::unique_ptr<OneNodeGrowth> copy() const = 0;

  /// Takes over the state of `other`, of the same algorithm and problem, into the memory that it has.
  virtual void assign(const OneNodeGrowth& other) = 0;

 protected:
  OneNodeGrowth(const OneNodeGrowth&) = default;
  OneNodeGrowth& operator=(const OneNodeGrowth&) = default;

  /// Forms the state of l_ nodes from Q = (H'H + lambda I)^-1 (l x l, both triangles) and W_.
  virtual void initialise(const arma::Mat<T>& Q) = 0;

  /// One step l -> l + 1 with the new node's h (K), p = H h (21) and g = h'h + lambda. Writes W_.
  [[nodiscard]] virtual Status step(const T* h, const T* p, T g) = 0;

  /// w of (30b), tau (Y h - W p), appended to W_ as column l.
  arma::Col<T> new_output_weights(const T* h, const T* p, T tau) const;

  /// H': K x l.
  View<const T> H() const { return A_.head_cols(l_); }

  View<const T> A_, targets_;
  double lambda_;
  uword l_ = 0;
  arma::Mat<T> W_;  // M x capacity
  arma::Col<T> p_;  // capacity

 private:
  [[nodiscard]] Status start(uword l);
};

}  // namespace elmx
