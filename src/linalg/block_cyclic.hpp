#pragma once

#include <algorithm>
#include <limits>

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
inline GridShape grid_shape(int ranks) {
  GridShape shape{1, ranks};
  for (int rows = 2; rows * rows <= ranks; ++rows) {
    if (ranks % rows == 0) shape = {rows, ranks / rows};
  }
  return shape;
}

/// Returns the rows and columns per block of an n x n array. They depend on n alone, so that sums do not
/// depend on the number of ranks.
inline uword distributed_block(uword n) {
  constexpr uword kNarrowest = 32, kWidest = 256;
  constexpr uword kBlocks = 16;  // blocks per row and column at least, so that several ranks have some
  return std::clamp(n / kBlocks / kNarrowest * kNarrowest, kNarrowest, kWidest);
}

/// Returns true if the positions of all numbers in each rank's part of an n x n array are below 2^31. With
/// the integers of LP64, ScaLAPACK's Fortran (p?potf2, p?trti2, p?trtri of 2.2) computes the position i + j
/// rows of row i and column j in 32 bits, whereas its C code (PBLAS) uses 64. OpenBLAS counts in 64 bits
/// behind its interface; OpenBLAS#5835 concerns LAPACKE, which elmx does not call.
inline bool within_indices(uword n, int ranks) {
  const GridShape shape = grid_shape(ranks);
  const auto most = [&](int parts) { return BlockCyclic{distributed_block(n), 0, static_cast<uword>(parts)}.count(n); };
  // A loop over columns ends one column behind the last column.
  return most(shape.rows) * (most(shape.cols) + 1) < static_cast<uword>(std::numeric_limits<int>::max());
}

/// Returns the smallest number of ranks, at least `ranks`, that is within_indices.
inline int ranks_within_indices(uword n, int ranks) {
  while (!within_indices(n, ranks)) ++ranks;
  return ranks;
}

}  // namespace elmx
