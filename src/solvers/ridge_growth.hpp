#pragma once

#include <memory>

#include "solvers/leverages.hpp"

namespace elmx {

/// What the solvers of one comparison share: the hidden outputs of all the nodes that will be added, and the targets.
template <class T>
struct RidgeProblem {
  View<const T> H;        // N x L_max, column j belongs to node j     (paper: H', K x l)
  View<const T> targets;  // N x c                                     (paper: Y', K x M)
  double lambda;          //                                           (paper: k0^2)
};

/// Ridge regression that grows node by node.
///
///     minimise over W    ||H_l W - T||_F^2 + lambda ||W||_F^2,    H_l = the first l columns of H
///
/// After every call that returns ok, weights() is the minimiser for l = nodes(). On any other status the state is void.
/// The paper writes the transposes; its W (M x l) is stored as such, so that a new node appends one contiguous column.
template <class T>
class RidgeGrowth : public HeldInverse<T> {
 public:
  explicit RidgeGrowth(const RidgeProblem<T>& problem) : problem_(problem) {}

  /// Solves for the first l nodes directly.
  [[nodiscard]] virtual Status start(uword l) = 0;

  /// Adds the next q nodes.
  [[nodiscard]] virtual Status grow(uword q) = 0;

  /// l x c.
  virtual arma::Mat<T> weights() const = 0;

  /// The state of `other`, a solver of the same type and problem, for repeated measurements of one step.
  virtual void assign(const RidgeGrowth& other) = 0;

  uword nodes() const { return l_; }

 protected:
  RidgeGrowth(const RidgeGrowth&) = default;
  RidgeGrowth& operator=(const RidgeGrowth&) = default;

  uword capacity() const { return problem_.H.cols; }
  uword samples() const { return problem_.H.rows; }
  uword outputs() const { return problem_.targets.cols; }
  View<const T> H() const { return problem_.H.head_cols(l_); }

  RidgeProblem<T> problem_;
  uword l_ = 0;
};

/// Grows one node at a time by the recursion of a paper: the part that existing and algorithms 1 to 3 share.
template <class T>
class OneNodeGrowth : public RidgeGrowth<T> {
 public:
  explicit OneNodeGrowth(const RidgeProblem<T>& problem)
      : RidgeGrowth<T>(problem), W_(problem.targets.cols, problem.H.cols), p_(problem.H.cols) {}

  [[nodiscard]] Status start(uword l) final;
  [[nodiscard]] Status grow(uword q) final;
  arma::Mat<T> weights() const final { return W_.head_cols(this->l_).t(); }

 protected:
  /// Forms the state of l_ nodes from Q = (H'H + lambda I)^-1 (l x l, both triangles) and W_.
  virtual void initialise(const arma::Mat<T>& Q) = 0;

  /// One step l -> l + 1 with the new node's h (N), p = H h (21) and g = h'h + lambda. Writes W_.
  [[nodiscard]] virtual Status step(const T* h, const T* p, T g) = 0;

  /// w of (30b), tau (Y h - W p), appended to W_ as column l.
  arma::Col<T> new_output_weights(const T* h, const T* p, T tau) const;

  arma::Mat<T> W_;  // c x capacity
  arma::Col<T> p_;  // capacity
};

}  // namespace elmx
