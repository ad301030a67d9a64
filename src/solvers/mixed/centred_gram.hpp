#pragma once

#include <memory>

#include "linalg/tall_matrix.hpp"
#include "linalg/upper_panels.hpp"
#include "linalg/widened.hpp"
#include "solvers/mixed/refinement.hpp"
#include "solvers/mixed/shared_shift.hpp"
#include "solvers/ridge/growing_ridge.hpp"
#include "solvers/ridge/ridge_targets.hpp"

namespace elmx {

/// What all ridge parameters of a sweep share where the Gram matrix is formed in single precision.
///
///     m = 1'A / N in double,   B = single(A - 1 m'),   G = B'B in single,   A'A = G + N m m' up to rounding
///
/// Without the mean, A'A of nodes whose outputs are positive is little else than its mean, and rounding it to
/// singles leaves nothing of what is left. A, N x k, is read twice a step: once for the mean, once for the
/// products.
template <class T>
class CentredGram {
 public:
  /// keep: the panels of all columns stay; else those of the last step alone.
  CentredGram(const TallMatrix<T>& A, RidgeTargets<T> targets, bool keep);

  /// Adds the next q columns. N q (2 k + q) flops in single for k columns before them.
  void extend(uword q);
  /// The same, all columns anew.
  void restart(uword columns);

  uword columns() const { return m_.n_elem; }
  double samples() const { return static_cast<double>(A_.rows()); }
  /// The panels from first_new() on are of the last step.
  const UpperPanels& panels() const { return G_; }
  std::size_t first_new() const { return first_new_; }
  const arma::vec& mean() const { return m_; }
  /// diag(G).
  const arma::vec& diagonal() const { return diagonal_; }
  /// What a solution for lambda is refined for.
  RefinedProblem<T> problem(double lambda) const { return {A_, targets(), AY_, squares_, lambda}; }

  SharedShift& shift() { return shift_; }

  /// A'A of all columns in double, for a solver that single precision has failed; formed where it is asked
  /// for.
  struct InDouble {
    RidgeProducts<double> products;
    GramMatrix<double> gram;

    std::unique_ptr<GrowingRidge<double>> solver(double lambda);
  };
  InDouble& in_double();
  /// True if there is memory for it.
  bool room_for_double() const;

 private:
  View<const double> targets() const { return targets_.template in<double>(); }
  void add_mean(uword from);
  void add_products(uword from);

  const TallMatrix<T>& A_;
  RidgeTargets<T> targets_;
  bool keep_;
  UpperPanels G_;
  std::size_t first_new_ = 0;
  arma::vec m_, diagonal_;
  arma::mat AY_;
  double squares_ = 0;
  SharedShift shift_;
  std::unique_ptr<WidenedMatrix> widened_;
  std::unique_ptr<InDouble> in_double_;
};

}  // namespace elmx
