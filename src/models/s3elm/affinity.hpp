#pragma once

#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

/// Returns ||x_i - x_j||^2 for all rows of X (N x D): N x N, symmetric with zero diagonal, as
/// ||x_i||^2 + ||x_j||^2 - 2 x_i'x_j, not below 0. N^2 D flops.
arma::mat squared_distances(const arma::mat& X);

/// Returns a_ij = exp(-sigma ||x_i - x_j||^2), a_ii = 0 (17). A large sigma makes a local graph.
arma::mat heat_affinity(const arma::mat& squared_distances, double sigma);

/// Returns heat affinities of the pairs in which one sample is among the k nearest neighbours of the other
/// (ties: lower index), 0 elsewhere. N^2 D flops in blocks; no N x N matrix is formed.
arma::sp_mat nearest_neighbour_affinity(const arma::mat& X, uword k, double sigma);

/// Solves  min ||theta||_1  s.t.  [x_1 .. x_i-1 x_i+1 .. x_N  I_D] theta = x_i  for every row x_i of X. Row i
/// of the result holds the N coefficients of the samples, with 0 at i itself, and omits the D coefficients of
/// I.
///
/// The homotopy of  min ||x_i - B theta||^2 / 2 + lambda ||theta||_1  goes from lambda = ||B'x_i||_inf, where
/// theta = 0, to 0. It is piecewise linear in lambda, and one column enters or leaves at each corner, so the
/// end is a vertex of the linear program. A column that depends on the active columns is skipped. 2 (N + D) D
/// flops per corner, about 2 D corners per sample; samples run in parallel.
arma::mat sparse_coefficients(const arma::mat& X);

/// Returns |a_ij| + |a_ji| of sparse_coefficients, with a zero diagonal. With `unit_norm` the samples are
/// x_i / ||x_i||, as long as the columns of I (a sample of zeros stays): the affinities then depend only on
/// the directions of the samples.
arma::mat sparse_affinity(const arma::mat& X, bool unit_norm = false);

}  // namespace elmx
