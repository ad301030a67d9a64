#pragma once

#include <armadillo>

namespace elmx {

/// Solves the sparse fine-tuning of random features in a broad learning system,
///
///     minimise over B    1/2 ||A B - X||_F^2 + penalty ||B||_1        A: l x n, X: l x d, B: n x d
///
/// by `steps` steps of ADMM with rho = 1 from zero, given only G = A'A (n x n) and C = A'X (n x d). There is
/// no convergence check: the number of steps is part of the model. 2 n^2 d flops per step.
///
/// Boyd, Parikh, Chu, Peleato, Eckstein, "Distributed optimization and statistical learning via ADMM" (2011),
/// section 6.4.
arma::mat sparse_code(const arma::mat& G, const arma::mat& C, double penalty, arma::uword steps);

}  // namespace elmx
