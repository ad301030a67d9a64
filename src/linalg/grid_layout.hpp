#pragma once

#include "linalg/view.hpp"

namespace elmx {

// The layout of ScaLAPACK's arrays over ranks. It is known without MPI, for plans.

/// A grid of rows x cols processes.
struct GridShape {
  int rows, cols;
};

/// Returns the grid of `ranks` processes that is nearest to a square, rows <= cols.
GridShape grid_shape(int ranks);

/// Returns the rows and columns per block of an n x n array. They depend on n alone, so that sums do not
/// depend on the number of ranks.
uword distributed_block(uword n);

/// Returns true if the positions of all numbers in each rank's part of an n x n array are below 2^31. With
/// the integers of LP64, ScaLAPACK's Fortran (p?potf2, p?trti2, p?trtri of 2.2) computes the position i + j
/// rows of row i and column j in 32 bits, whereas its C code (PBLAS) uses 64. OpenBLAS counts in 64 bits
/// behind its interface; OpenBLAS#5835 concerns LAPACKE, which elmx does not call.
bool within_indices(uword n, int ranks);

/// Returns the smallest number of ranks, at least `ranks`, that is within_indices.
int ranks_within_indices(uword n, int ranks);

}  // namespace elmx
