#pragma once

#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

/// ||x_i - x_j||^2 of the rows of X (N x D), N x N, symmetric with zero diagonal: ||x_i||^2 + ||x_j||^2 - 2
/// x_i'x_j, not below 0. N^2 D flops.
arma::mat squared_distances(const arma::mat& X);

/// a_ij = exp(-sigma ||x_i - x_j||^2), a_ii = 0 (17). A large sigma makes a local graph.
arma::mat heat_affinity(const arma::mat& squared_distances, double sigma);

/// Heat affinities of the pairs of which one is among the k nearest neighbours of the other (ties: lower
/// index), 0 elsewhere. N^2 D flops in blocks; no N x N matrix is formed.
arma::sp_mat nearest_neighbour_affinity(const arma::mat& X, uword k, double sigma);

/// Coefficients of  min ||theta||_1  s.t.  [x_1 .. x_i-1 x_i+1 .. x_N  I_D] theta = x_i  for every row x_i of
/// X. Row i of the result: N entries, those of the samples, 0 at i itself; the D entries of the identity are
/// left out.
///
/// By the homotopy of  min ||x_i - B theta||^2 / 2 + lambda ||theta||_1  from lambda = ||B'x_i||_inf, where
/// theta = 0, to 0: piecewise linear in lambda, one column enters or leaves at each corner, so that the end
/// is a vertex of the linear program. Of columns that depend on those in use one is left out. 2 (N + D) D
/// flops a corner, about 2 D corners a sample; samples in parallel.
arma::mat sparse_coefficients(const arma::mat& X);

/// |a_ij| + |a_ji| of sparse_coefficients, zero diagonal. With `unit_norm` the samples are x_i / ||x_i||,
/// which have the length of the columns of I (a sample of zeros stays): the affinities then depend on the
/// directions of the samples alone.
arma::mat sparse_affinity(const arma::mat& X, bool unit_norm = false);

}  // namespace elmx
