#include "base/sizes.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

TEST(ProductOfSizes, IsTheProductWhereAWordHoldsIt) {
  EXPECT_EQ(product_of_sizes({}), 1u);
  EXPECT_EQ(product_of_sizes({3, 4, 5}), 60u);
  EXPECT_EQ(product_of_sizes({std::uint64_t{1} << 32, (std::uint64_t{1} << 32) - 1}), 0xffffffff00000000u);
  EXPECT_EQ(product_of_sizes({kTooMany, 1}), kTooMany);
}

TEST(ProductOfSizes, NeverWrapsAround) {
  EXPECT_EQ(product_of_sizes({std::uint64_t{1} << 32, std::uint64_t{1} << 32}), kTooMany);
  EXPECT_EQ(product_of_sizes({kTooMany, kTooMany, kTooMany}), kTooMany);
}

TEST(ProductOfSizes, OfNothingIsNothing) { EXPECT_EQ(product_of_sizes({kTooMany, 2, 0}), 0u); }

}  // namespace
}  // namespace elmx
