#pragma once

#include <optional>

#include "linalg/tall_matrix.hpp"

namespace elmx {

/// Access to R^-1, R = A'A + lambda I (k x k), through the state of a solver of min ||A W - Y||^2 + lambda
/// ||W||^2.
template <class T>
class InverseOperator {
 public:
  virtual ~InverseOperator() = default;

  /// Computes X = R^-1 X from the current state.   X: k x b, on entry the samples first ... first + b - 1 of
  /// A, transposed. 2 k^2 b flops at matrix-matrix speed, or a copy if the solver holds A R^-1.
  virtual void apply_inverse(uword first, View<T> X) const = 0;

  /// Returns true if the solver holds A R^-1, and so knows R^-1 at the samples only.
  virtual bool at_samples_only() const { return false; }
};

/// The diagonal of the hat matrix H = A R^-1 A' and its accuracy.
struct Leverages {
  arma::vec h;  ///< n: h_i = a_i' R^-1 a_i; empty: not asked for, or no such inverse
  /// n: bounds of rounding in h_i: eps (||A||_F^2 x_i'x_i + ||a_i|| ||x_i|| + h_i), x_i = R^-1 a_i
  arma::vec rounding;
  /// the largest error of h_i at the probes, as a multiple of rounding_i; at most about 1 if R^-1 is stable
  double drift = 0;
  /// n x c: change of the outputs by one refinement of the weights, -x_i'G; empty: G was not given
  uword columns = 0;  ///< k, which the sum of the leverages does not exceed
  arma::mat refined = {};
};

/// Computes the leverages of all rows of A, by blocks of samples. k: the nodes of `inverse`; gradient:
/// G = A'(A W - Y) + lambda W of the weights, k x c, or empty. 2 n k^2 flops (2 n k if A R^-1 is held) and 4
/// n k for each of 16 probes; 2 k numbers of memory for each of a thousand samples.
///
/// The bound of rounding is the first-order change x_i' dR x_i of h_i for a backward error dR of norm eps
/// ||R||, with ||R|| <= ||A||_F^2 + lambda and lambda x_i'x_i <= h_i. A recursion that has drifted further
/// shows it at the probes: the samples at which 1 - h_i is most sensitive, and evenly spread samples. With
/// the residual r_i = a_i - R x_i, formed in double,
///
///     h_i = a_i'x_i + x_i'r_i + r_i'R^-1 r_i       exactly
///
/// where the last term takes max_j x_j'x_j / h_j for ||R^-1||.
template <class T>
Leverages leverages(const InverseOperator<T>& inverse, const TallMatrix<T>& A, uword k, double lambda,
                    const arma::mat& gradient = {});

/// Returns the drift at the probes: the largest of |x_i'r_i| + inverse r_i'r_i over allowed_i.   X,
/// residuals: k x p, x_i and r_i = a_i - R x_i; allowed (p): the rounding of h_i; inverse: estimate of
/// ||R^-1||.
double drift_at_probes(const arma::mat& X, const arma::mat& residuals, const arma::vec& allowed, double inverse);

/// Returns the largest x_i'x_i / h_i, an estimate of ||R^-1||.   x: ||x_i||^2.
double inverse_norm_of_samples(const arma::vec& x, const arma::vec& h);

/// Half the number of samples whose leverages are checked: 8 evenly spread samples, and 8 at which 1 - h is
/// most sensitive.
inline constexpr uword kProbes = 8;

/// Returns the bound of rounding of each h_i: eps (squares x_i'x_i + ||a_i|| ||x_i|| + h_i). eps: of the type
/// of R^-1; squares: ||A||_F^2; a, x: ||a_i||^2 and ||x_i||^2.
arma::vec leverage_rounding(double eps, double squares, const arma::vec& a, const arma::vec& x, const arma::vec& h);

/// Estimates ||R^-1||_2 by some steps of the power method. If R^-1 is known at the samples only, the estimate
/// is the largest x_i'x_i / a_i'x_i of some samples, a lower bound.
template <class T>
double inverse_norm(const InverseOperator<T>& inverse, const TallMatrix<T>& A, uword k);

/// The ridge solutions that each omit one sample, for m samples i of a ridge problem with solution f:
///
///     f_{-i}(x) = f(x) - (a(x)'d_i) r_i',   d_i = R^-1 a_i,   r_i = y_i - f_{-i}(x_i) = e_i / (1 - h_i)
///
/// where e_i = y_i - f(x_i) and h_i = a_i'd_i.
struct LeftOut {
  arma::mat directions;  ///< k x m: d_i
  arma::mat residuals;   ///< m x c: r_i, in the units of the outputs
};

/// Computes the solutions that each omit one of m samples. samples: ascending rows of A; W: k x c, the
/// solution with all samples; Y: m x c, the targets of the m samples. 2 k^2 m flops and one pass over A; 3 k
/// m numbers of memory. Returns nothing if rounding leaves less than one digit of some 1 - h_i.
template <class T>
std::optional<LeftOut> left_out(const InverseOperator<T>& inverse, const TallMatrix<T>& A, const arma::uvec& samples,
                                const arma::mat& W, const arma::mat& Y);

}  // namespace elmx
