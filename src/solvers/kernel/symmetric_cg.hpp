#pragma once

#include <functional>

#include "linalg/view.hpp"

namespace elmx {

/// Solves R X = B by preconditioned conjugate gradients for a symmetric positive definite R, every column
/// with its own steps. The steps end when the backward error ||r|| / (bound ||x|| + ||b||) of each column is
/// at most 1e-17, or when a further round, started from the recomputed residual, does not halve it. Returns
/// the number of products with R.
///
/// times: M -> R M;  precondition: M <- P^-1 M;  bound: at least ||R||.   B, X: n x c.
uword symmetric_cg(const std::function<arma::mat(const arma::mat&)>& times,
                   const std::function<void(arma::mat&)>& precondition, const arma::mat& B, double bound, arma::mat& X);

}  // namespace elmx
