#pragma once

#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

/// D_A - A with D_A = diag(sum_j a_ij), or normalised I - D_A^-1/2 A D_A^-1/2, where a sample without
/// neighbours has a zero row. A: N x N, symmetric, zero diagonal. Symmetric positive semidefinite; D_A - A
/// has rows that sum to 0.
arma::mat laplacian(arma::mat A, bool normalised);
arma::sp_mat laplacian(const arma::sp_mat& A, bool normalised);

}  // namespace elmx
