#pragma once

#include <algorithm>

#include "linalg/view.hpp"

namespace elmx {

/// The indices of one part in a block-cyclic layout: indices 0, 1, 2, ... go to `parts` parts in turn, in
/// blocks of `block`.
struct BlockCyclic {
  uword block;
  uword part, parts;

  /// Returns how many of the indices below n belong to this part; their local indices are 0 .. count(n) - 1.
  uword count(uword n) const {
    const uword blocks = n / block, rest = n % block, own = blocks / parts;
    const uword last = blocks % parts;
    return own * block + (part < last ? block : part == last ? rest : 0);
  }

  uword global(uword local) const { return (local / block * parts + part) * block + local % block; }
  bool owns(uword index) const { return index / block % parts == part; }
  uword local(uword index) const { return index / (block * parts) * block + index % block; }
};

/// Calls body(begin, end) for each maximal piece of [begin, end) that lies in one block of this part, in
/// global indices.
template <class Body>
void for_each_piece(const BlockCyclic& layout, uword begin, uword end, const Body& body) {
  for (uword b = begin / layout.block; b * layout.block < end; ++b) {
    if (b % layout.parts == layout.part) body(std::max(begin, b * layout.block), std::min(end, (b + 1) * layout.block));
  }
}

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
