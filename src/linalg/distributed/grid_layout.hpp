#pragma once

#include "linalg/view.hpp"

namespace elmx {

// How ScaLAPACK's arrays are dealt over ranks; known without MPI, for plans.

/// Ranks as rows x cols processes.
struct GridShape {
  int rows, cols;
};

/// As near to a square as their number allows, rows <= cols.
GridShape grid_shape(int ranks);

/// Rows and columns of a block of an n x n array: by n alone, so that sums do not depend on the number of
/// ranks.
uword distributed_block(uword n);

/// True if the places of all numbers of each rank's part of an n x n array are below 2^31: with arrays of the
/// size of LP64, ScaLAPACK's Fortran (p?potf2, p?trti2, p?trtri of 2.2) finds the place of row i and column j
/// as i + j rows, in 32 bits; its C (PBLAS) in 64. OpenBLAS counts in 64 bits behind its interface;
/// OpenBLAS#5835 is LAPACKE's, which elmx does not call.
bool within_indices(uword n, int ranks);

/// The fewest ranks from `ranks` on that are within_indices.
int ranks_within_indices(uword n, int ranks);

}  // namespace elmx
