#pragma once

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

}  // namespace elmx
