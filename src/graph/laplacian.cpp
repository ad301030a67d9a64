#include "graph/laplacian.hpp"

#include <cmath>

namespace elmx {
namespace {

/// Returns d_i^-1/2, or 0 where d_i = 0.
arma::vec inverse_roots(arma::vec degrees) {
  degrees.transform([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  return degrees;
}

/// Returns the diagonal of the normalised Laplacian: 1, or 0 for a sample without neighbours.
arma::vec connected(const arma::vec& degrees) { return arma::conv_to<arma::vec>::from(degrees > 0); }

}  // namespace

arma::mat laplacian(arma::mat A, bool normalised) {
  expects(A.n_rows == A.n_cols, "laplacian: A is N x N");
  const arma::vec degrees = arma::sum(A, 1);
  A *= -1;
  if (normalised) {
    const arma::vec root = inverse_roots(degrees);
    A.each_col() %= root;
    A.each_row() %= root.t();
  }
  A.diag() = normalised ? connected(degrees) : degrees;
  return A;
}

arma::sp_mat laplacian(const arma::sp_mat& A, bool normalised) {
  expects(A.n_rows == A.n_cols, "laplacian: A is N x N");
  const arma::vec degrees(arma::mat(arma::sum(A, 1)));
  const arma::vec diagonal = normalised ? connected(degrees) : degrees;
  arma::sp_mat L = -A;
  if (normalised) {
    // This is a product because an iterator loses its place when an entry that it writes underflows and is
    // deleted.
    arma::sp_mat root(A.n_rows, A.n_rows);
    root.diag() = inverse_roots(degrees);
    L = root * L * root;
  }
  arma::sp_mat D(A.n_rows, A.n_rows);
  D.diag() = diagonal;
  return L + D;
}

}  // namespace elmx
