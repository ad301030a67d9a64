#pragma once

#include <optional>

#include "solvers/kernel/kernel_matrix.hpp"
#include "solvers/ridge/leverages.hpp"

namespace elmx {

/// The precision in which the kernel matrix is factorised and the solution is found.
enum class KernelArithmetic {
  in_double,
  in_single,
  mixed,  ///< a factor in single, conjugate gradients in double
};

/// Kernel ridge regression with an optional free intercept (a least-squares support vector machine):
///
///     min_(f, b) sum_i w_i ||y_i - f(x_i) - b||^2 + lambda ||f||_H^2,   f(x) = sum_i k(x, x_i) alpha_i
///
///     [ R   s ] [ a ]   [ S Y ]      R = S K S + lambda I,  S = diag(s),  s_i = sqrt(w_i),  alpha = S a
///     [ s'  0 ] [ b ] = [  0  ]
///
/// Without an intercept this is the kernel ELM of G.-B. Huang, H. Zhou, X. Ding, R. Zhang, "Extreme learning
/// machine for regression and multiclass classification", IEEE Trans. SMC-B 42, 2012, eq. (34), with
/// lambda = 1 / C.
struct KernelRidge {
  double lambda = 1;
  bool intercept = true;
  KernelArithmetic arithmetic = KernelArithmetic::in_double;
  arma::uword known_from = 0;  ///< first sample with a leave-one-out error; n: no sample has one
  arma::uvec without = {};     ///< samples with a leave-one-out machine
};

/// A solution, with its errors.
struct KernelFit {
  arma::mat alpha;         ///< n x c
  arma::rowvec intercept;  ///< 1 x c; zeros without an intercept
  /// 1 - h_i = lambda P_ii of the samples from known_from on, P = C - C s s'C / s'C s, C = R^-1: the machine
  /// trained on the other samples has the error (y_i - f(x_i)) / (1 - h_i) at sample i
  arma::vec left;
  double left_error = 0;      ///< largest relative error of `left` at some of these samples
  double backward_error = 0;  ///< ||S Y - R a - s b|| / ((tr(S K S) + lambda) ||a|| + ||S Y||)
  arma::uword products = 0;   ///< products with S K S of a mixed solution
  /// The machine without sample i = without(j) has alpha - D_j r_j' and b - D_(n+1)j r_j', where r_j is its
  /// error at i and D_j = s_i [S P e_i; s'C e_i / s'C s].   (n + 1) x m and m x c
  LeftOut left_out = {};
};

/// Solves the problem for K of the n training samples with their scale;   Y: n x c. n^3 / 3 flops in the
/// precision of the factor, plus n^3 / 3 for `left` of all samples or m^3 / 3 for the last m. Memory: n^2
/// numbers in double, or n^2 / 2 singles. Returns not_positive_definite if the precision of the factor cannot
/// tell lambda from rounding.
[[nodiscard]] Status solve_kernel_ridge(const KernelMatrix<double>& K, const arma::mat& Y, const KernelRidge& problem,
                                        KernelFit& fit);

/// The solutions for all ridge parameters from one eigendecomposition S K S = V diag(theta) V',
///
///     C = V diag(1 / (theta + lambda)) V',   9 n^3 flops once, 2 n^2 (c + 1) for each lambda
class KernelSpectrum {
 public:
  KernelSpectrum(const KernelMatrix<double>& K, arma::mat Y, bool intercept);

  /// Returns ok if the eigenvalues were found.
  Status status() const { return status_; }

  /// Computes a fit without its backward error.
  void solve(double lambda, KernelFit& fit) const;

  /// Returns Z: n x c, for each sample the output of the machine trained on the others.
  arma::mat left_out_outputs(double lambda) const;

  /// Returns 1 if a single sample leaves no eigenvalue.
  double mean_eigenvalue() const { return theta_.is_empty() ? 1 : arma::mean(theta_); }

 private:
  Status status_;
  arma::mat V_, squares_;  // n x n, and its entries squared
  arma::vec theta_;
  arma::vec scale_;    // s; ones without weights
  arma::mat Y_;        // n x c
  arma::mat rotated_;  // V' [S Y, s], n x (c + 1)
  bool intercept_;
};

/// Settings of a kernel machine. Leave-one-out errors choose the settings that are not given.
struct KernelWish {
  Kernel kernel = Kernel::laplace_l1;
  std::optional<double> length;  ///< relative to the typical scale of the samples
  std::optional<double> lambda;
  bool intercept = true;
  /// true: count wrong classes (largest output, or one output against the middle of the targets), plus a
  /// thousandth of the squared errors to break ties; false: take squared errors
  bool by_accuracy = false;
  bool balanced = false;     ///< all classes have the same share of the error, whatever the weights
  double first_decade = -9;  ///< log10 of the least lambda that is tried, over the mean of diag(K)
};

struct KernelChoice {
  double length = 1;  ///< relative to the typical scale
  double lambda = 1;
  double error = 0;  ///< error of the leave-one-out outputs
};

/// Chooses length and lambda for samples X (m x d) with targets Y (m x c). Lengths are powers of two, from 1
/// on as long as a neighbour is better. For each length, lambda is found on a grid of half decades and then
/// of eighths, from one eigendecomposition. About five eigendecompositions of m x m. weights: m, or empty.
KernelChoice choose_kernel(const KernelWish& wish, const arma::mat& X, const arma::mat& Y, const arma::vec& weights);

}  // namespace elmx
