#pragma once

#include "linalg/tall_matrix.hpp"

namespace elmx {

/// What a solver of min ||A W - Y||^2 + lambda ||W||^2 holds of R^-1, R = A'A + lambda I (k x k).
template <class T>
class HeldInverse {
 public:
  virtual ~HeldInverse() = default;

  /// X = R^-1 X from the state at hand.   X: k x b, on entry the samples first ... first + b - 1 of A,
  /// transposed. 2 k^2 b flops at matrix-matrix speed; a copy where the solver holds A R^-1.
  virtual void apply_inverse(uword first, View<T> X) const = 0;

  /// True if the solver holds A R^-1, and so knows R^-1 at the samples alone.
  virtual bool at_samples_only() const { return false; }
};

/// The diagonal of the hat matrix H = A R^-1 A' and how well it is determined.
struct Leverages {
  arma::vec h;  ///< n: h_i = a_i' R^-1 a_i; empty: not asked for, or the solver holds no such inverse
  /// n: how far rounding may have moved h_i: eps (||A||_F^2 x_i'x_i + ||a_i|| ||x_i|| + h_i), x_i = R^-1 a_i
  arma::vec rounding;
  /// the largest error of h_i at the probes, as a multiple of rounding_i; at most about 1 where R^-1 is
  /// stable
  double drift = 0;
  /// n x c: what one refinement of the weights adds to the outputs, -x_i'G; empty: G was not given
  uword columns = 0;  ///< k, which the sum of the leverages does not exceed
  arma::mat refined = {};
};

/// The leverages of all rows of A, by blocks of samples. k: the nodes that `inverse` is of; gradient: G =
/// A'(A W - Y) + lambda W of the weights, k x c, or empty. 2 n k^2 flops (2 n k where A R^-1 is held) and 4 n
/// k for each of 16 probes; 2 k numbers of memory for each of a thousand samples.
///
/// The bound on rounding is the first-order change x_i' dR x_i of h_i for a backward error dR of norm eps
/// ||R||, with ||R|| <= ||A||_F^2 + lambda and lambda x_i'x_i <= h_i. A recursion that has drifted further
/// shows it at the probes, the samples where 1 - h_i is most sensitive and others evenly spread: with the
/// residual r_i = a_i - R x_i, formed in double,
///
///     h_i = a_i'x_i + x_i'r_i + r_i'R^-1 r_i       exactly,   ||R^-1|| taken as max_j x_j'x_j / h_j in the last term
template <class T>
Leverages leverages(const HeldInverse<T>& inverse, const TallMatrix<T>& A, uword k, double lambda,
                    const arma::mat& gradient = {});

/// The drift that probes show: the largest of |x_i'r_i| + inverse r_i'r_i over allowed_i.   X, residuals: k x
/// p, x_i and r_i = a_i - R x_i; allowed (p): the rounding of h_i; inverse: estimate of ||R^-1||.
double drift_at_probes(const arma::mat& X, const arma::mat& residuals, const arma::vec& allowed, double inverse);

/// The number of samples whose leverages are checked: 8 evenly spread ones, and 8 at which 1 - h is most
/// sensitive.
inline constexpr uword kProbes = 8;

/// How far rounding may have moved each h_i, by that bound: eps (squares x_i'x_i + ||a_i|| ||x_i|| + h_i).
/// eps: of the type of R^-1; squares: ||A||_F^2; a, x: ||a_i||^2 and ||x_i||^2.
arma::vec leverage_rounding(double eps, double squares, const arma::vec& a, const arma::vec& x, const arma::vec& h);

/// Estimate of ||R^-1||_2 from what the solver holds: some steps of the power method, or, where R^-1 is known
/// at the samples alone, the largest x_i'x_i / a_i'x_i of some samples, which is a lower bound.
template <class T>
double inverse_norm(const HeldInverse<T>& inverse, const TallMatrix<T>& A, uword k);

}  // namespace elmx
