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

/// The Gram matrix in single precision that all ridge parameters of a sweep share.
///
///     m = 1'A / N in double,   B = single(A - 1 m'),   G = B'B in single,   A'A = G + N m m' up to rounding
///
/// If the outputs of nodes are positive, the mean dominates A'A, and rounding to singles would leave nothing
/// of the remainder; hence the mean is subtracted. A, N x k, is read twice per step: for the mean and for the
/// products.
template <class T>
class CentredGram {
 public:
  /// keep: keep the panels of all columns, not only the panels of the last step.
  CentredGram(const TallMatrix<T>& A, RidgeTargets<T> targets, bool keep);

  /// Adds the next q columns. N q (2 k + q) flops in single after k columns.
  void extend(uword q);
  /// Starts anew with all columns.
  void restart(uword columns);

  uword columns() const { return m_.n_elem; }
  double samples() const { return static_cast<double>(A_.rows()); }
  /// Returns G; the panels from first_new() on belong to the last step.
  const UpperPanels& panels() const { return G_; }
  std::size_t first_new() const { return first_new_; }
  const arma::vec& mean() const { return m_; }
  /// Returns diag(G).
  const arma::vec& diagonal() const { return diagonal_; }
  /// Returns the problem for which a solution is refined at lambda.
  RefinedProblem<T> problem(double lambda) const { return {A_, targets(), AY_, squares_, lambda}; }

  SharedShift& shift() { return shift_; }

  /// A'A of all columns in double, for a solver for which single precision is not enough. It is formed on
  /// first use.
  struct InDouble {
    RidgeProducts<double> products;
    GramMatrix<double> gram;

    std::unique_ptr<GrowingRidge<double>> solver(double lambda);
  };
  InDouble& in_double();
  /// Returns true if there is memory for A'A in double.
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
