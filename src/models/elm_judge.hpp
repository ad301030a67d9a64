#pragma once

#include <map>
#include <string>

#include "models/comparison.hpp"
#include "solvers/ridge_growth.hpp"

namespace elmx {

/// How far W (l x c) is from a stationary point of ||H W - T||^2 + lambda ||W||^2, relative to the size of the terms:
///
///     ||H'E + lambda W|| / (||H|| (||H|| ||W|| + ||T||) + lambda ||W||),    E = H W - T  (n x c), Frobenius norms
///
/// By definition, whichever way W was found. Accumulated in double. 2 N l c flops.
template <class T>
double ridge_backward_error(View<const T> H, View<const T> targets, double lambda, const arma::Mat<T>& W, const arma::Mat<T>& E);

/// The solution that the algorithms of a comparison are measured against at one size.
struct Reference {
  arma::mat weights;
  arma::mat train_output;
  arma::mat test_output;
  double condition = 0;  ///< 1-norm estimate for H'H + lambda I
};

/// weights and condition of `kind` "qr" (augmented system, independent) or "cholesky" (the standard ELM); in double.
template <class T>
[[nodiscard]] Status solve_reference(const std::string& kind, const RidgeProblem<T>& problem, uword nodes, Reference& reference);

}  // namespace elmx
