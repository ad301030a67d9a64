#include "linalg/block_cyclic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace elmx {
namespace {

TEST(GridLayout, IsAsNearToASquareAsTheRanksAllow) {
  const std::array<std::array<int, 2>, 13> shapes{
      {{0, 0}, {1, 1}, {1, 2}, {1, 3}, {2, 2}, {1, 5}, {2, 3}, {1, 7}, {2, 4}, {3, 3}, {2, 5}, {1, 11}, {3, 4}}};
  for (int ranks = 1; ranks < 13; ++ranks) {
    EXPECT_EQ(grid_shape(ranks).rows, shapes[ranks][0]) << ranks;
    EXPECT_EQ(grid_shape(ranks).cols, shapes[ranks][1]) << ranks;
  }
}

/// The place of the last number of the rank that has most, counted from 1.
uword last_place(uword n, int ranks) {
  const GridShape shape = grid_shape(ranks);
  uword most = 0;
  for (int r = 0; r < shape.rows; ++r) {
    for (int c = 0; c < shape.cols; ++c) {
      const BlockCyclic rows{distributed_block(n), static_cast<uword>(r), static_cast<uword>(shape.rows)},
          cols{distributed_block(n), static_cast<uword>(c), static_cast<uword>(shape.cols)};
      most = std::max(most, rows.count(n) * cols.count(n));
    }
  }
  return most;
}

TEST(GridLayout, PlacesWithinIndicesAreBelowTwoToThe31) {
  constexpr uword kMost = std::numeric_limits<int>::max();
  for (const uword n :
       {uword(1), uword(1000), uword(46340), uword(46341), uword(65536), uword(100000), uword(400000)}) {
    for (int ranks = 1; ranks <= 100; ++ranks) {
      // What is refused is no smaller than 2^31 less two columns.
      if (within_indices(n, ranks)) {
        EXPECT_LE(last_place(n, ranks), kMost) << n << ", " << ranks;
      } else {
        EXPECT_GE(last_place(n, ranks) + 2 * n, kMost) << n << ", " << ranks;
      }
    }
  }
  EXPECT_TRUE(within_indices(46340, 1));
  EXPECT_FALSE(within_indices(46341, 1));
}

TEST(GridLayout, TheFewestRanksAreEnoughAndOneLessIsNot) {
  EXPECT_EQ(ranks_within_indices(46340, 1), 1);
  EXPECT_EQ(ranks_within_indices(46340, 7), 7);
  EXPECT_EQ(ranks_within_indices(46341, 1), 2);
  EXPECT_EQ(ranks_within_indices(100000, 2), 5);
  EXPECT_FALSE(within_indices(100000, 4));
}

}  // namespace
}  // namespace elmx
