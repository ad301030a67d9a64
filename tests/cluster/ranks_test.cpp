#include <gtest/gtest.h>

#include <numeric>

#include "base/communicator.hpp"

namespace elmx {
namespace {

double power_of_two(int rank) { return static_cast<double>(1 << rank); }

TEST(RanksTest, SumsAreThoseOfAllRanks) {
  const double all = power_of_two(ranks().count()) - 1;
  std::vector<double> x(1000, power_of_two(ranks().rank()));
  std::vector<float> y(3, static_cast<float>(power_of_two(ranks().rank())));

  ranks().sum(x.data(), x.size());
  ranks().sum(y.data(), y.size());

  EXPECT_EQ(x, std::vector<double>(1000, all));
  EXPECT_EQ(y, std::vector<float>(3, static_cast<float>(all)));
}

// Rank r owns r numbers: the first owns none.
TEST(RanksTest, EveryOwnerGetsTheSumOfItsPart) {
  const int count = ranks().count(), rank = ranks().rank();
  std::vector<int> counts(static_cast<std::size_t>(count));
  std::iota(counts.begin(), counts.end(), 0);
  const int begin = rank * (rank - 1) / 2;
  std::vector<double> x, mine(static_cast<std::size_t>(rank)), expected;
  for (int i = 0; i < count * (count - 1) / 2; ++i) x.push_back(i * power_of_two(rank));
  for (int i = begin; i < begin + rank; ++i) expected.push_back(i * (power_of_two(count) - 1));

  sum_to_owners(x.data(), counts, mine.data());

  EXPECT_EQ(mine, expected);
}

TEST(RanksTest, TextsOfOneAndOfAll) {
  const std::string mine(static_cast<std::size_t>(ranks().rank()), 'a');

  const std::vector<std::string> all = ranks().all_gather(mine);

  EXPECT_EQ(ranks().broadcast("rank " + std::to_string(ranks().rank())), "rank 0");
  ASSERT_EQ(all.size(), static_cast<std::size_t>(ranks().count()));
  for (std::size_t r = 0; r < all.size(); ++r) EXPECT_EQ(all[r], std::string(r, 'a'));
}

// A sum of n numbers by reducing and gathering parts: each rank sends 2 n (P - 1) / P numbers.
TEST(RanksTest, BytesSentAreThoseOfASum) {
  const double before = ranks().bytes_sent(), P = ranks().count();
  std::vector<double> x(1200);

  ranks().sum(x.data(), x.size());

  EXPECT_DOUBLE_EQ(ranks().bytes_sent() - before, 2 * 1200 * 8 * (P - 1) / P);
}

}  // namespace
}  // namespace elmx
