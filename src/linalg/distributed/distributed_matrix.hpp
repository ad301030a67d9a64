#pragma once

#include <array>

#include "linalg/distributed/block_cyclic.hpp"
#include "linalg/distributed/process_grid.hpp"
#include "linalg/view.hpp"

namespace elmx {

/// An array of capacity x capacity numbers dealt over all ranks in square blocks, first by rows, then by
/// columns of the process grid (ScaLAPACK's layout): capacity^2 / P numbers on each of P ranks. Its upper
/// triangle holds a matrix of the operations below; what stands below its diagonal they neither read nor
/// change.
///
/// Every rank calls the same functions in the same order. `first` is where a matrix has grown: columns before
/// it are done. Steps begin at whole blocks, so `first` is rounded down to one, and what lies behind it must
/// be there anew.
template <class T>
class DistributedMatrix {
 public:
  /// std::logic_error where the capacity is not within_indices.
  explicit DistributedMatrix(uword capacity);
  DistributedMatrix(const DistributedMatrix&) = delete;
  DistributedMatrix& operator=(const DistributedMatrix&) = delete;

  uword capacity() const { return capacity_; }
  uword block() const { return rows_.block; }
  uword first_of_block(uword index) const { return index / block() * block(); }
  const BlockCyclic& rows() const { return rows_; }
  const BlockCyclic& cols() const { return cols_; }
  const ProcessGrid& grid() const { return grid_; }

  /// What this rank holds, by local indices.
  View<T> local() { return local_; }
  View<const T> local() const { return local_; }

  /// The leading n x n: R'R = the upper triangle, in place. n^3 / 3 flops in all.
  [[nodiscard]] Status cholesky(uword first, uword n);

  /// F F' = the inverse of the upper triangle, F upper triangular, in place. 2 n^3 / 3 flops in all.
  [[nodiscard]] Status inverse_cholesky(uword first, uword n);

  /// X = (R'R)^-1 X, X = F F' X.   X: n x c, the same on every rank, before and after.   2 n^2 c flops in
  /// all.
  void solve(View<T> X) const;
  void multiply(View<T> X) const;

  /// The upper triangle of columns first ... n - 1, diagonal left out, from what stands below the diagonal of
  /// `from`, which may be this.
  void mirror(const DistributedMatrix& from, uword first, uword n);

 private:
  /// What p?potrf found of columns first .. n - 1, the same on every rank: it takes what is not a number for
  /// positive, and not all ranks see it.
  Status factored(int info, uword first, uword n) const;

  /// X dealt in blocks of rows over the first column of the grid.
  struct Dealt {
    arma::Mat<T> local;
    std::array<int, 9> descriptor;
  };
  Dealt deal(View<const T> X) const;
  void collect(const Dealt& dealt, View<T> X) const;
  void triangular(const char* op, uword n, Dealt& B) const;

  const ProcessGrid& grid_;
  uword capacity_;
  BlockCyclic rows_, cols_;
  arma::Mat<T> local_;
  std::array<int, 9> descriptor_;
};

}  // namespace elmx
