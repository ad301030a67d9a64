#pragma once

#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

// The resolvent (I + c L)^-1 of a graph Laplacian L, as the quadratic form Z'(I + c L)^-1 Z of a few columns
// Z (N x k). In every formula of the semi-supervised machines the graph stands in such a form and nowhere
// else; nothing of size N is left after it.

/// L = V diag(theta) V': one factorisation serves every c.
struct Spectrum {
  arma::mat V;      // N x N
  arma::vec theta;  // not below 0

  double bytes() const { return 8.0 * static_cast<double>(V.n_elem + theta.n_elem); }
};

/// About 9 N^3 flops.
[[nodiscard]] Status spectrum_of(arma::mat L, Spectrum& spectrum);

/// From T = V'Z: T' diag(1 / (1 + c theta)) T. N k^2 flops for each c.
arma::mat resolvent_form(const Spectrum& spectrum, double c, const arma::mat& T);

/// Upper Cholesky factor of I + c L.
struct ResolventFactor {
  arma::mat R;

  double bytes() const { return 8.0 * static_cast<double>(R.n_elem); }
};

/// N^3 / 3 flops.
[[nodiscard]] Status factorise_resolvent(arma::mat L, double c, ResolventFactor& factor);

/// N^2 k + N k^2 flops.
arma::mat resolvent_form(const ResolventFactor& factor, arma::mat Z);

/// By conjugate gradients, preconditioned by the diagonal, each column until its residual is below tolerance
/// ||z||. not_finite where that takes more than 10 N + 1000 iterations. 2 (nnz + 5 N) k flops an iteration.
[[nodiscard]] Status resolvent_form(const arma::sp_mat& L, double c, const arma::mat& Z, double tolerance,
                                    arma::mat& form);

}  // namespace elmx
