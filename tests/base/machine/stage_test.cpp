#include "base/machine/stage.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace elmx {
namespace {

TEST(Stage, IsThatOfTheThreadThatReports) {
  StageSlot slot;
  const StageReports reports(slot);

  std::thread([] { report_stage("epoch", 9, 10); }).join();
  EXPECT_EQ(slot.read().what, nullptr);
  report_stage("epoch", 3, 4);

  EXPECT_EQ(slot.read().what, std::string("epoch"));
  EXPECT_EQ(slot.read().number, 3u);
  EXPECT_EQ(slot.read().all, 4u);
  EXPECT_DOUBLE_EQ(slot.read().fraction, 0.5) << "the third of four is in hand";
}

TEST(Stage, WithinAPartItIsAFractionOfThat) {
  StageSlot slot;
  const StageReports reports(slot);
  {
    const StagePart second(1, 2);
    report_stage("epoch", 1, 2, 0.5);
    EXPECT_DOUBLE_EQ(slot.read().fraction, 0.5 + 0.5 * 0.25);
    const StagePart last(3, 4);
    report_stage("epoch", 2, 2, 1);
    EXPECT_DOUBLE_EQ(slot.read().fraction, 1);
  }
  report_stage("epoch", 2, 4);
  EXPECT_DOUBLE_EQ(slot.read().fraction, 0.25) << "the parts have ended";
}

TEST(Stage, NobodyIsToldOutsideOfReports) {
  StageSlot slot;
  { const StageReports reports(slot); }
  report_stage("epoch", 3, 4);

  EXPECT_EQ(slot.read().what, nullptr);
}

}  // namespace
}  // namespace elmx
