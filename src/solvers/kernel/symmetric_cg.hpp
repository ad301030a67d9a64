#pragma once

#include <functional>

#include "linalg/view.hpp"

namespace elmx {

/// X = R^-1 B by preconditioned conjugate gradients for a symmetric positive definite R, every column with
/// its own steps; X holds a first guess. It ends where the residual of each column is as small as rounding
/// lets it be, or no longer falls. The true residual is formed anew every 20 steps. Returns the number of
/// products with R.
///
/// times: M -> R M;  precondition: M <- P^-1 M.   B, X: n x c.
uword symmetric_cg(const std::function<arma::mat(const arma::mat&)>& times,
                   const std::function<void(arma::mat&)>& precondition, const arma::mat& B, arma::mat& X);

}  // namespace elmx
