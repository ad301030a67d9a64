#include "base/communicator.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

TEST(Communicator, AProcessByItselfHasAllTexts) {
  EXPECT_EQ(kAlone.broadcast("text"), "text");
  EXPECT_EQ(kAlone.all_gather("text"), std::vector<std::string>{"text"});
  EXPECT_FALSE(kAlone.present());
  EXPECT_TRUE(Communicator(2).present());
}

TEST(Communicator, PartsFollowOneAnotherAndHaveOneSize) {
  for (const std::size_t n : {0u, 1u, 7u, 100u}) {
    std::size_t end = 0;
    for (int r = 0; r < 3; ++r) {
      const Part part = part_of(n, r, 3);
      EXPECT_EQ(part.begin, end);
      EXPECT_LE(part.size(), n / 3 + 1);
      EXPECT_GE(part.size() + 1, n / 3 + 1);
      end = part.end;
    }
    EXPECT_EQ(end, n);
  }
}

}  // namespace
}  // namespace elmx
