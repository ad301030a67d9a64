#include "base/machine/clock.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

TEST(FakeClock, TicksAMillisecondALook) {
  FakeClock clock;

  EXPECT_DOUBLE_EQ(clock.now(), 0.001);
  EXPECT_DOUBLE_EQ(clock.now(), 0.002);
  EXPECT_DOUBLE_EQ(clock.now(), 0.003);
}

TEST(SteadyClock, MovesForwardInSeconds) {
  SteadyClock clock;
  const auto begin = std::chrono::steady_clock::now();
  const double before = clock.now();

  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(5)) {
  }

  const double elapsed = clock.now() - before;
  EXPECT_GE(elapsed, 0.004);
  EXPECT_LT(elapsed, 5);
}

}  // namespace
}  // namespace elmx
