#pragma once

#include <vector>

#include "base/ranks/ranks.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {

/// The results of one solution on its training samples.
struct RidgeFit {
  arma::mat output;         ///< N x c, A W
  double backward_error;    ///< see ridge_fits
  double squares = 0;       ///< ||A||_F^2
  arma::mat gradient = {};  ///< k x c: A'E + lambda W
};

/// A W_i of several solutions W_i (k x c, the first k columns of A), in the type of the weights, which may be
/// wider than that of A. One pass over A.
template <class T, class W = T>
std::vector<arma::mat> outputs_of(const TallMatrix<T>& A, const std::vector<arma::Mat<W>>& weights);

/// Outputs of several solutions W_i (k x c, the first k columns of A) and how far each is from a stationary
/// point of ||A W - Y||^2 + lambda_i ||W||^2, relative to the size of the terms:
///
///     ||A'E + lambda W|| / (||A|| (||A|| ||W|| + ||Y||) + lambda ||W||),    E = A W - Y, Frobenius norms
///
/// By definition, whichever way W was found. Accumulated in double. One pass over A, 4 N k c flops a
/// solution.
///
/// among: ranks of which each has some of the samples as its A; sums are over all of them, the outputs are of
/// its own.
template <class T, class W = T>
std::vector<RidgeFit> ridge_fits(const TallMatrix<T>& A, std::type_identity_t<View<const W>> targets,
                                 const std::vector<arma::Mat<W>>& weights, const std::vector<double>& lambdas,
                                 const Ranks& among = Ranks());

/// The solution that the algorithms of a trainer are measured against at one size.
struct Reference {
  arma::mat weights;
  double condition = 0;  ///< 1-norm estimate for A'A + lambda I
};

/// Condition times backward error above which a solution may have fewer than two digits right: the bound on
/// ||W - W*|| / ||W*||.
inline constexpr double kMostAmplified = 0.01;

/// The diagnostics of such a solution.
inline constexpr const char* kFarOff =
    "condition times backward error is above 0.01: the weights may be far off although they solve the equations to "
    "rounding";

/// kFarOff where condition times backward error says so, else "". weight_error: relative to the weights, of
/// an independent reference that does not suffer from the condition of A'A; it decides where it is known (not
/// NaN).
const char* doubt_about(double condition, double backward_error, double weight_error);

/// weights and condition for the first `nodes` columns of A by QR of the augmented system: independent, in
/// double.
template <class T>
[[nodiscard]] Status solve_by_qr(const TallMatrix<T>& A, View<const double> targets, double lambda, uword nodes,
                                 Reference& reference);

}  // namespace elmx
