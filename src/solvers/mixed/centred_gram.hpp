#pragma once

#include <memory>
#include <optional>

#include "linalg/tall_matrix.hpp"
#include "linalg/upper_panels.hpp"
#include "solvers/mixed/refinement.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// Computes B = single(A - 1 m').   A, B: n x k; the leading k numbers of m are used.
template <class T>
void centre(View<const T> A, const arma::vec& m, View<float> B);

/// Computes sums += 1'A in double.   sums: k.
template <class T>
void add_column_sums(View<const T> A, double* sums);

/// The matrix B = single(A - 1 m'), with one row per sample, formed some thousand rows at once.
template <class T>
class CentredMatrix final : public TallMatrix<float> {
 public:
  /// m must have as many numbers as columns are asked for. A and m must outlive the object.
  CentredMatrix(const TallMatrix<T>& A, const arma::vec& m) : A_(A), m_(m) {}
  CentredMatrix(std::unique_ptr<TallMatrix<T>> A, arma::vec m)
      : own_(std::move(A)), own_m_(std::move(m)), A_(*own_), m_(own_m_) {}

  uword rows() const override { return A_.rows(); }
  uword cols() const override { return A_.cols(); }
  void for_each_block(uword k, const Visit& visit) const override;
  std::unique_ptr<TallMatrix<float>> leading(uword rows, uword cols) const override;

 private:
  std::unique_ptr<TallMatrix<T>> own_;
  arma::vec own_m_;
  const TallMatrix<T>& A_;
  const arma::vec& m_;
};

/// The starting point for the shift of the next factor in single precision of one Gram matrix. The needed
/// shift comes from the rounding of the Gram matrix, for any lambda. A larger lambda may need less, so the
/// next factor starts at a quarter.
class SharedShift {
 public:
  double first() const { return first_; }
  void needed(double shift) { first_ = shift >= 4 ? shift / 4 : 0; }

 private:
  double first_ = 0;
};

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
  std::optional<WidenedMatrix> widened_;
  std::unique_ptr<InDouble> in_double_;
};

/// The factor in single precision of M = E (G + lambda I) E + shift, E diagonal, for the G of a CentredGram:
/// M = R'R (Cholesky), or M^-1 = F F' (inverse Cholesky). It grows by columns; k^2 / 2 singles.
class PanelFactor {
 public:
  explicit PanelFactor(FactorForm::Kind kind) : kind_(kind), U_(1) {}

  /// Makes room for the last step of `gram`. anew: makes room for all columns of `gram`, which must have kept
  /// them.
  template <class T>
  void extend(const CentredGram<T>& gram, bool anew);

  /// Factorises the columns for which extend has made room. e: diag(E); unit: the diagonal of M.
  template <class T>
  [[nodiscard]] Status factorise(const CentredGram<T>& gram, const arma::vec& e, double unit);

  /// Computes X = M^-1 X.   X: k x c.   2 k^2 c flops.
  void apply(View<double> X) const;

 private:
  FactorForm::Kind kind_;
  UpperPanels U_;
  std::size_t first_ = 0;
};

}  // namespace elmx
