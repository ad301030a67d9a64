#pragma once

#include <armadillo>
#include <cmath>

#include "linalg/blas.hpp"

// Matrix products by their definition: three loops in long double, the reference for the tiles of linalg.

namespace elmx {

/// Returns op(A) in double (exact for float).
template <class T>
arma::mat apply(Op op, const arma::Mat<T>& A) {
  const arma::mat wide = arma::conv_to<arma::mat>::from(A);
  return op == Op::none ? wide : arma::mat(wide.t());
}

/// Returns alpha A B + beta C. C may be NaN if beta = 0.
inline arma::mat product_by_loops(double alpha, const arma::mat& A, const arma::mat& B, double beta,
                                  const arma::mat& C) {
  const arma::mat rows = A.t();  // contiguous in the inner loop
  arma::mat out(A.n_rows, B.n_cols);
  for (arma::uword j = 0; j < B.n_cols; ++j) {
    for (arma::uword i = 0; i < A.n_rows; ++i) {
      const double *row = rows.colptr(i), *column = B.colptr(j);
      const auto term = [&](arma::uword k) { return static_cast<long double>(row[k]) * column[k]; };
      long double sum = 0, second = 0, third = 0, fourth = 0;  // additions to one sum would wait for each other
      arma::uword k = 0;
      for (; k + 3 < A.n_cols; k += 4) {
        sum += term(k);
        second += term(k + 1);
        third += term(k + 2);
        fourth += term(k + 3);
      }
      for (; k < A.n_cols; ++k) sum += term(k);
      sum += second + third + fourth;
      const long double old = beta == 0 ? 0.0L : static_cast<long double>(beta) * static_cast<long double>(C(i, j));
      out(i, j) = static_cast<double>(static_cast<long double>(alpha) * sum + old);
    }
  }
  return out;
}

/// Returns R^-1 B for R upper or lower triangular (the other triangle is not read).
inline arma::mat solve_by_loops(bool upper, const arma::mat& R, const arma::mat& B) {
  arma::mat out = B;
  const arma::uword n = R.n_rows;
  for (arma::uword j = 0; j < B.n_cols; ++j) {
    for (arma::uword step = 0; step < n; ++step) {
      const arma::uword i = upper ? n - 1 - step : step;
      long double sum = static_cast<long double>(B(i, j));
      for (arma::uword k = upper ? i + 1 : 0; k < (upper ? n : i); ++k) {
        sum -= static_cast<long double>(R(i, k)) * static_cast<long double>(out(k, j));
      }
      out(i, j) = static_cast<double>(sum / static_cast<long double>(R(i, i)));
    }
  }
  return out;
}

}  // namespace elmx
