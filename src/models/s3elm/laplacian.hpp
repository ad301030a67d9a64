#pragma once

#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

/// Returns the Laplacian D_A - A with D_A = diag(sum_j a_ij), whose rows sum to 0, or the normalised
/// I - D_A^-1/2 A D_A^-1/2, where a sample without neighbours has a zero row. Both are symmetric positive
/// semidefinite. A: N x N, symmetric, zero diagonal.
arma::mat laplacian(arma::mat A, bool normalised);
arma::sp_mat laplacian(const arma::sp_mat& A, bool normalised);

// The resolvent (I + c L)^-1 of a graph Laplacian L, in the quadratic form Z'(I + c L)^-1 Z of a few columns
// Z (N x k). The formulas of the semi-supervised machines use the graph only in this form, after which no
// array of size N is left.

/// The decomposition L = V diag(theta) V', which serves every c.
struct Spectrum {
  arma::mat V;      // N x N
  arma::vec theta;  // not below 0

  double bytes() const { return 8.0 * static_cast<double>(V.n_elem + theta.n_elem); }
};

/// Computes the spectrum of L. About 9 N^3 flops.
[[nodiscard]] Status spectrum_of(arma::mat L, Spectrum& spectrum);

/// Returns T' diag(1 / (1 + c theta)) T for T = V'Z. N k^2 flops for each c.
arma::mat resolvent_form(const Spectrum& spectrum, double c, const arma::mat& T);

/// The upper Cholesky factor of I + c L.
struct ResolventFactor {
  arma::mat R;

  double bytes() const { return 8.0 * static_cast<double>(R.n_elem); }
};

/// Factorises I + c L. N^3 / 3 flops.
[[nodiscard]] Status factorise_resolvent(arma::mat L, double c, ResolventFactor& factor);

/// Returns Z'(I + c L)^-1 Z. N^2 k + N k^2 flops.
arma::mat resolvent_form(const ResolventFactor& factor, arma::mat Z);

/// Computes Z'(I + c L)^-1 Z by conjugate gradients with diagonal preconditioner, each column until its
/// residual is below tolerance ||z||. Returns not_finite if a column needs more than 10 N + 1000 iterations.
/// 2 (nnz + 5 N) k flops per iteration.
[[nodiscard]] Status resolvent_form(const arma::sp_mat& L, double c, const arma::mat& Z, double tolerance,
                                    arma::mat& form);

}  // namespace elmx
