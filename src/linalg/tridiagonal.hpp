#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// A = Q T Q' of a symmetric matrix, T tridiagonal, Q a product of n - 1 reflectors I - tau v v'. The same bits for any
/// number of threads.
class Tridiagonal {
 public:
  /// A: n x n, of which the upper triangle is read; the whole is overwritten by the reflectors, and this object refers
  /// to it. 4 n^3 / 3 flops, half of them at the speed of memory (a product of the matrix with each v), half by
  /// matrix-matrix products.
  explicit Tridiagonal(View<double> A);

  const arma::vec& diagonal() const { return d_; }        ///< of T: n
  const arma::vec& above_diagonal() const { return e_; }  ///< of T: n - 1

  /// Z = Q Z.   Z: n x m. 2 n^2 m flops.
  void apply(View<double> Z) const;

 private:
  void reduce_panel(uword n, uword columns, arma::mat& W);

  View<double> A_;  // v of the reflector that ends at row j - 1 above the diagonal in column j
  arma::vec d_, e_, tau_;
};

}  // namespace elmx
