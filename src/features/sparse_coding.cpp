#include "features/sparse_coding.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {

arma::mat sparse_code(const arma::mat& G, const arma::mat& C, double penalty, arma::uword steps) {
  expects(G.n_rows == G.n_cols && C.n_rows == G.n_rows, "sparse_code: G is n x n, C is n x d");
  arma::mat R = G;
  R.diag() += 1;
  expects(cholesky(View<double>(R)) == Status::ok, "sparse_code: G is positive semidefinite");
  arma::mat o(C.n_rows, C.n_cols), u(C.n_rows, C.n_cols);
  for (arma::uword k = 0; k < steps; ++k) {
    arma::mat c = C + o - u;  // c = (A'A + I)^-1 (A'X + o - u)
    cholesky_solve(View<const double>(R), View<double>(c));
    u += c;  // o = soft(c + u, penalty),   u += c - o
    for (arma::uword i = 0; i < o.n_elem; ++i) o(i) = std::max(u(i) - penalty, 0.0) - std::max(-u(i) - penalty, 0.0);
    u -= o;
  }
  return o;
}

}  // namespace elmx
