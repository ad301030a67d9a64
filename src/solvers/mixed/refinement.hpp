#pragma once

#include <functional>

#include "base/communicator.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {

/// The problem min ||A W - Y||^2 + lambda ||W||^2, where each rank may have a part of the samples.
template <class T>
struct RefinedProblem {
  const TallMatrix<T>& A;  ///< samples of this rank x k or more
  View<const double> Y;    ///< targets of the same samples
  const arma::mat& cross;  ///< A'Y of all ranks, k x c
  double squares;          ///< ||A||_F^2 of all ranks
  double lambda;
  const Communicator& among = kAlone;
};

/// The result of a refinement.
struct Refinement {
  arma::mat W;         ///< k x c
  uword products = 0;  ///< passes over A: A'(Y - A W), or A'A P
  bool converged = false;
  bool conjugate = false;  ///< conjugate gradients were needed
};

/// Computes W by steps in double with an approximate inverse P^-1 of A'A + lambda I, X = P^-1 X:
///
///     W = P^-1 A'Y;   W += P^-1 r,   r = A'(Y - A W) - lambda W from A itself
///
/// while each step at least halves ||r||; then by conjugate gradients preconditioned by P, all columns at
/// once, restarted from the true residual. Each pass over A takes 4 N k c flops in double. The refinement
/// ends when the backward error reaches the rounding of double, at most_products, or when the first steps of
/// conjugate gradients show that the products will not suffice.
template <class T>
Refinement refine(const RefinedProblem<T>& problem, const std::function<void(View<double>)>& apply_inverse,
                  uword most_products);

/// Returns the condition number of P^-1 (A'A + lambda I) at which conjugate gradients need `most_products`
/// products from single precision to double: sqrt(condition) / 2 ln(2 / reduction).
double most_condition(uword most_products);

}  // namespace elmx
