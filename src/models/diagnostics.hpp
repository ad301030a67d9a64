#pragma once

#include <string>
#include <vector>

#include "base/communicator.hpp"
#include "linalg/tall_matrix.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// The results of one solution on its training samples.
struct RidgeFit {
  arma::mat output;         ///< N x c, A W
  double backward_error;    ///< see ridge_fits
  double squares = 0;       ///< ||A||_F^2
  arma::mat gradient = {};  ///< k x c: A'E + lambda W
};

/// Returns A W_i for several solutions W_i (k x c, the first k columns of A), in the type of the weights,
/// which may be wider than T. One pass over A.
template <class T, class W = T>
std::vector<arma::mat> outputs_of(const TallMatrix<T>& A, const std::vector<arma::Mat<W>>& weights);

/// Returns the outputs of several solutions W_i (k x c, the first k columns of A), and their distance from a
/// stationary point of ||A W - Y||^2 + lambda_i ||W||^2, relative to the size of the terms:
///
///     ||A'E + lambda W|| / (||A|| (||A|| ||W|| + ||Y||) + lambda ||W||),    E = A W - Y, Frobenius norms
///
/// The distance follows this definition for every method that finds W. Sums are in double. One pass over A, 4
/// N k c flops per solution.
///
/// among: ranks that each hold some of the samples as A; sums include all ranks, but outputs are for the
/// samples of this rank.
template <class T, class W = T>
std::vector<RidgeFit> ridge_fits(const TallMatrix<T>& A, std::type_identity_t<View<const W>> targets,
                                 const std::vector<arma::Mat<W>>& weights, const std::vector<double>& lambdas,
                                 const Communicator& among = kAlone);

/// The solution to which the algorithms of a trainer are compared at one size.
struct Reference {
  arma::mat weights;
  double condition = 0;  ///< 1-norm condition estimate of A'A + lambda I
};

/// The limit of condition times backward error, a bound of ||W - W*|| / ||W*||, above which a solution may
/// have fewer than two correct digits.
inline constexpr double kMostAmplified = 0.01;

/// The warning about such a solution.
inline constexpr const char* kFarOff =
    "condition times backward error is above 0.01: the weights may be far off although they solve the equations to "
    "rounding";

/// Returns kFarOff if condition times backward error exceeds the limit, otherwise "". weight_error: the
/// relative difference from an independent reference that does not suffer from the condition of A'A; it
/// decides if it is known (not NaN).
const char* doubt_about(double condition, double backward_error, double weight_error);

/// Computes weights and condition by `kind` "qr" (augmented system, independent) or "cholesky" (the standard
/// ELM) for the first `columns` columns of A, in double.
template <class T>
[[nodiscard]] Status solve_reference(const std::string& kind, const TallMatrix<T>& A, const RidgeTargets<T>& targets,
                                     double lambda, uword columns, Reference& reference);

}  // namespace elmx
