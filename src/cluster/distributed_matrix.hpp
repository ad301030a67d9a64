#pragma once

#include <array>

#include "linalg/block_cyclic.hpp"
#include "linalg/view.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// The ranks as a grid of rows x cols processes (grid_shape), row by row.
class ProcessGrid {
 public:
  /// Returns the grid of all ranks, which is made once, where MPI runs.
  static const ProcessGrid& all();

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int row() const { return row_; }  ///< row of this rank
  int col() const { return col_; }
  int row_of(int rank) const { return rank / cols_; }
  int col_of(int rank) const { return rank % cols_; }
  int context() const { return context_; }  ///< context of BLACS

 private:
  ProcessGrid();

  int rows_ = 1, cols_ = 1, row_ = 0, col_ = 0, context_ = -1;
};

/// An array of capacity x capacity numbers, distributed over all ranks in square blocks, first by rows, then
/// by columns of the process grid (ScaLAPACK's layout): capacity^2 / P numbers on each of P ranks. The
/// operations below use the upper triangle; they neither read nor change the strict lower triangle.
///
/// Every rank calls the same functions in the same order. `first` is where a matrix has grown: the columns
/// before it are finished. Steps begin at whole blocks, so `first` is rounded down to a block, and the caller
/// must set all columns from there on anew.
template <class T>
class DistributedMatrix {
 public:
  /// Throws std::logic_error if the capacity is not within_indices.
  explicit DistributedMatrix(uword capacity);
  DistributedMatrix(const DistributedMatrix&) = delete;
  DistributedMatrix& operator=(const DistributedMatrix&) = delete;

  uword capacity() const { return capacity_; }
  uword block() const { return rows_.block; }
  uword first_of_block(uword index) const { return index / block() * block(); }
  const BlockCyclic& rows() const { return rows_; }
  const BlockCyclic& cols() const { return cols_; }
  const ProcessGrid& grid() const { return grid_; }

  /// Returns the numbers of this rank, by local indices.
  View<T> local() { return local_; }
  View<const T> local() const { return local_; }

  /// Replaces the upper triangle of M, the leading n x n part, by its factor. cholesky: R with R'R = M,
  /// n^3 / 3 flops; inverse: F, upper triangular, with F F' = M^-1, 2 n^3 / 3 flops in all.
  [[nodiscard]] Status factorise(FactorForm::Kind kind, uword first, uword n);

  /// Computes X = M^-1 X from the factor: (R'R)^-1 X or F F'X.   X: n x c, the same on every rank, before and
  /// after.   2 n^2 c flops in all.
  void apply_inverse(FactorForm::Kind kind, View<T> X) const;

  /// Copies the strict lower triangle of `from`, which may be this matrix, to the strict upper triangle of
  /// the columns first .. n - 1.
  void mirror(const DistributedMatrix& from, uword first, uword n);

 private:
  /// Returns the status of p?potrf for the columns first .. n - 1, the same on every rank. p?potrf takes NaN
  /// for positive, and not all ranks see it.
  Status factored(int info, uword first, uword n) const;

  /// A matrix X distributed in blocks of rows over the first column of the grid.
  struct BlockCyclicRows {
    arma::Mat<T> local;
    std::array<int, 9> descriptor;
  };
  BlockCyclicRows distribute(View<const T> X) const;
  void collect(const BlockCyclicRows& distributed, View<T> X) const;

  const ProcessGrid& grid_;
  uword capacity_;
  BlockCyclic rows_, cols_;
  arma::Mat<T> local_;
  std::array<int, 9> descriptor_;
};

}  // namespace elmx
