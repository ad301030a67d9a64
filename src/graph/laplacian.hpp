#pragma once

#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

/// Returns the Laplacian D_A - A with D_A = diag(sum_j a_ij), whose rows sum to 0, or the normalised
/// I - D_A^-1/2 A D_A^-1/2, where a sample without neighbours has a zero row. Both are symmetric positive
/// semidefinite. A: N x N, symmetric, zero diagonal.
arma::mat laplacian(arma::mat A, bool normalised);
arma::sp_mat laplacian(const arma::sp_mat& A, bool normalised);

}  // namespace elmx
