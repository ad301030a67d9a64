#pragma once

#include <vector>

#include "linalg/view.hpp"
#include "solvers/ridge/leverages.hpp"
#include "solvers/ridge/ridge_choice.hpp"

namespace elmx {

/// Solves min ||H W - T||^2 + lambda ||W||^2 for one H and many lambda, by Cholesky of the smaller Gram
/// matrix, which is formed once:
///
///     n >= L   W = (H'H + lambda I)^-1 H'T
///     n <  L   W = H'(H H' + lambda I)^-1 T
///
/// H: n x L, T: n x C. m = min(n, L): n L m flops once, m^3 / 3 + 2 m^2 C (+ 2 n L C) for each lambda.
class RidgePath {
 public:
  RidgePath(arma::mat H, arma::mat T);

  /// Computes W: L x C. lambda > 0.
  [[nodiscard]] Status solve(double lambda, arma::mat& W);

 private:
  bool primal() const { return H_.n_rows >= H_.n_cols; }

  arma::mat H_;
  arma::mat right_;  // H'T or T
  arma::mat G_;      // H'H or HH', upper triangle
  arma::mat R_;      // R'R = G + lambda I; kept, because to free it for each lambda fragments the heap
};

/// All solutions of min ||A W - Y||_F^2 + lambda ||W||_F^2, lambda > 0, from one symmetric eigendecomposition
/// of the smaller Gram matrix.
///
///     A: N x k,  Y: N x c,  r = min(N, k),  s: r, at least 0
///
///     k <= N    A'A = V S V'    V: k x k orthonormal,   B = A V     f = 1
///     k >  N    A A' = B S B'   B: N x N orthonormal,   V = A'B     f = s
///
/// In both cases, with D = (S + lambda I)^-1, R = A'A + lambda I and the row b_i of B,
///
///     W = V D B'Y     R^-1 a_i = V D b_i     h_i = sum_j f_j b_ij^2 / (s_j + lambda)
///     ||R^-1 a_i||^2 = sum_j f_j b_ij^2 / (s_j + lambda)^2     dof = sum_j s_j / (s_j + lambda)
///
/// N k r flops for the Gram matrix, about 9 r^3 for the decomposition, and 2 N k r for B or V. Each lambda
/// takes 2 k r c flops for the weights and 6 N r for the leverages. Results do not depend on the number of
/// threads.
class RidgeSpectrum {
 public:
  /// Decomposes the first k columns of A. A and Y must outlive this object. keep_rows: hold B (N r numbers),
  /// which choose() needs and which saves work in leverages(); for k > N, B is always held. On any status but
  /// ok the object is undefined.
  [[nodiscard]] Status decompose(const TallMatrix<double>& A, View<const double> Y, uword k, bool keep_rows);

  uword columns() const { return k_; }
  const arma::vec& eigenvalues() const { return s_; }  ///< ascending: r
  double mean_eigenvalue() const { return arma::accu(s_) / static_cast<double>(k_); }
  bool dual() const { return k_ > n_; }

  /// Returns W: k x c.
  arma::mat weights(double lambda) const;

  double degrees_of_freedom(double lambda) const;

  /// Returns true if R has no eigenvalue that rounding of the Gram matrix hides.
  bool determined(double lambda) const;

  /// Computes X = R^-1 X for the samples first, first + 1, ... transposed (k x b); for k > N the samples are
  /// taken from B.
  void apply_inverse(double lambda, uword first, View<double> X) const;

  /// Computes the leverages at each lambda, all in one pass over the samples. gradients: of the weights of
  /// each lambda (see elmx::leverages), or empty. 2 N k r flops if B is not held, 6 N r + 2 N r c for each
  /// lambda, and 4 N k for each of its 16 probes.
  std::vector<Leverages> leverages(const std::vector<double>& lambdas, const std::vector<arma::mat>& gradients) const;

  /// Returns the mean of the squared leave-one-out errors, or GCV, up to a factor; NaN if rounding leaves
  /// less than one digit. Needs B.
  double criterion(RidgeCriterion which, double lambda) const;

  /// Returns the ridge parameter at which the criterion is least.
  RidgeChoice choose(const RidgeAim& aim) const;

 private:
  [[nodiscard]] Status decompose_columns(View<const double> Y, bool keep_rows);
  [[nodiscard]] Status decompose_rows(View<const double> Y);
  arma::vec numerators() const { return dual() ? s_ : arma::vec(s_.n_elem, arma::fill::ones); }
  void probe(const std::vector<double>& lambdas, const std::vector<arma::vec>& x, std::vector<Leverages>& all) const;

  const TallMatrix<double>* A_ = nullptr;
  View<const double> Y_{nullptr, 0, 0, 0};
  uword n_ = 0, k_ = 0;
  arma::vec s_;   // ascending, r
  arma::mat V_;   // k x r
  arma::mat B_;   // N x r; empty if it is not held
  arma::mat BY_;  // B'Y, r x c
  arma::vec a_;   // ||a_i||^2 of each sample if B is held: N
};

/// Returns true if one spectrum gives the leave-one-out numbers of `lambdas` ridge parameters at k nodes of N
/// samples with less work than separate inverses, 2 N k^2 flops each. The saving must be at least 1e9 flops.
bool spectrum_pays(uword N, uword k, std::size_t lambdas);

/// Returns the most numbers that a decomposition holds at once, including the workspace of LAPACK and a block
/// of leverages.
double spectrum_numbers(double N, double k, bool keep_rows);

/// Returns the work of a decomposition for leverages, in flops of matrix products.
double spectrum_flops(double N, double k);

}  // namespace elmx
