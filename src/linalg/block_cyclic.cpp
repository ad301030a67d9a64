#include "linalg/block_cyclic.hpp"

#include <algorithm>
#include <limits>

namespace elmx {
namespace {

constexpr uword kNarrowestBlock = 32, kWidestBlock = 256;

}  // namespace

GridShape grid_shape(int ranks) {
  GridShape shape{1, ranks};
  for (int rows = 2; rows * rows <= ranks; ++rows) {
    if (ranks % rows == 0) shape = {rows, ranks / rows};
  }
  return shape;
}

uword distributed_block(uword n) {
  constexpr uword kBlocks = 16;  // blocks per row and column at least, so that several ranks have some
  return std::clamp(n / kBlocks / kNarrowestBlock * kNarrowestBlock, kNarrowestBlock, kWidestBlock);
}

bool within_indices(uword n, int ranks) {
  const GridShape shape = grid_shape(ranks);
  const auto most = [&](int parts) { return BlockCyclic{distributed_block(n), 0, static_cast<uword>(parts)}.count(n); };
  // A loop over columns ends one column behind the last column.
  return most(shape.rows) * (most(shape.cols) + 1) < static_cast<uword>(std::numeric_limits<int>::max());
}

int ranks_within_indices(uword n, int ranks) {
  while (!within_indices(n, ranks)) ++ranks;
  return ranks;
}

}  // namespace elmx
