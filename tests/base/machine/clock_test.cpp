#include "base/machine/clock.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

TEST(FakeClock, TicksOnceALookAndExactly) {
  FakeClock clock;

  EXPECT_EQ(clock.now(), FakeClock::kTick);
  for (int look = 0; look < 10000; ++look) {
    const double before = clock.now();
    EXPECT_EQ(clock.now() - before, FakeClock::kTick);
  }
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
