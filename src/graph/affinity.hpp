#pragma once

#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

/// ||x_i - x_j||^2 of the rows of X (N x D), N x N, symmetric with zero diagonal: ||x_i||^2 + ||x_j||^2 - 2 x_i'x_j, not below 0.
/// N^2 D flops.
arma::mat squared_distances(const arma::mat& X);

/// a_ij = exp(-sigma ||x_i - x_j||^2), a_ii = 0 (17). A large sigma makes a local graph.
arma::mat heat_affinity(const arma::mat& squared_distances, double sigma);

/// Heat affinities of the pairs of which one is among the k nearest neighbours of the other (ties: lower index), 0 elsewhere.
/// N^2 D flops in blocks; no N x N matrix is formed.
arma::sp_mat nearest_neighbour_affinity(const arma::mat& X, uword k, double sigma);

struct BasisPursuitOptions {
  double rho = 1;
  double tolerance = 1e-8;       ///< of the primal and the dual residual
  std::size_t iterations = 5000;
};

/// Coefficients of  min ||theta||_1  s.t.  [x_1 .. x_i-1 x_i+1 .. x_N  I_D] theta = x_i  for every row x_i of X. Row i of the result:
/// N entries, those of the samples, 0 at i itself; the D entries of the identity are left out.
///
/// ADMM: projection onto B theta = x_i by (BB')^-1 with BB' = I + X'X - x_i x_i' (one factorisation of I + X'X and the
/// Sherman-Morrison formula), soft threshold 1 / rho, dual update; then the equations are solved again on the support where that
/// has at most D entries, so that the result is a vertex of the linear program. About 4 N D flops a sample and iteration.
arma::mat sparse_coefficients(const arma::mat& X, const BasisPursuitOptions& options = {});

/// |a_ij| + |a_ji| of sparse_coefficients, zero diagonal.
arma::mat sparse_affinity(const arma::mat& X, const BasisPursuitOptions& options = {});

}  // namespace elmx
