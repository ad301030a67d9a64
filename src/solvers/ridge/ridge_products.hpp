#pragma once

#include "linalg/tall_matrix.hpp"

namespace elmx {

/// The products with its samples that an algorithm needs at a step: 0, 2 N k q, or N q (2 k + q + 2 c) flops.
enum class Products { none, border, gram };

/// The products that all ridge parameters of a sweep share when nodes are added.
///
///     A: N x k, the nodes so far;  H: N x q, the nodes added last;  Y: N x c
///
///     border   P = A'H   (k x q)
///     gram     Q = H'H   (q x q, upper triangle)   and   A'Y   ((k + q) x c, extended, never recomputed)
///
/// There is one pass over the samples per step, and nothing of size N is held.
template <class T>
class RidgeProducts {
 public:
  /// A: all nodes that will be added.
  RidgeProducts(const TallMatrix<T>& A, View<const T> targets, Products needed) : A_(A), Y_(targets), needed_(needed) {}

  /// Makes the last q added nodes old nodes, and adds the next q nodes.
  void advance(uword q);

  uword old_nodes() const { return k_; }
  uword added() const { return q_; }
  const arma::Mat<T>& P() const { return P_; }
  const arma::Mat<T>& Q() const { return Q_; }
  /// Returns A'Y of the old and the added nodes.
  const arma::Mat<T>& cross() const { return AY_; }

  const TallMatrix<T>& input() const { return A_; }
  View<const T> targets() const { return Y_; }

 private:
  const TallMatrix<T>& A_;
  View<const T> Y_;
  Products needed_;
  uword k_ = 0, q_ = 0;
  arma::Mat<T> P_, Q_, AY_;
};

/// G = A'A of all nodes so far, in the strict lower triangle of an array. The upper triangle is free for
/// factorising R = G + lambda I, one ridge parameter after another: R and its factor share k^2 numbers.
template <class T>
class GramMatrix {
 public:
  explicit GramMatrix(uword capacity) : array_(capacity, capacity, arma::fill::none), diagonal_(capacity) {}

  /// Adds the new nodes of `products`.
  void extend(const RidgeProducts<T>& products);

  /// Writes R = G + lambda I to the upper triangle and returns it: n x n. Valid until the next call.
  View<T> ridge_matrix(double lambda);
  /// Returns the current content of the upper triangle: n x n.
  View<const T> upper() const { return View<const T>(array_).block(0, 0, n_, n_); }

  /// Returns R X.   X: n x m.
  arma::Mat<T> times(double lambda, const arma::Mat<T>& X) const;

  uword size() const { return n_; }
  /// Returns ||R||_F.
  double norm(double lambda) const;

 private:
  arma::Mat<T> array_;
  arma::Col<T> diagonal_;
  uword n_ = 0;
};

}  // namespace elmx
