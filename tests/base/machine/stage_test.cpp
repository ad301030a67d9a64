#include "base/machine/stage.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace elmx {
namespace {

TEST(Stage, IsThatOfTheThreadThatReports) {
  const StageReports reports;

  std::thread([] { report_stage("epoch", 9, 10); }).join();
  EXPECT_EQ(reports.read().what, nullptr);
  report_stage("epoch", 3, 4);

  EXPECT_EQ(reports.read().what, std::string("epoch"));
  EXPECT_EQ(reports.read().number, 3u);
  EXPECT_EQ(reports.read().all, 4u);
  EXPECT_DOUBLE_EQ(reports.read().fraction, 0.5) << "the third of four is in hand";
}

TEST(Stage, WithinAPartItIsAFractionOfThat) {
  const StageReports reports;
  {
    const StagePart second(1, 2);
    report_stage("epoch", 1, 2, 0.5);
    EXPECT_DOUBLE_EQ(reports.read().fraction, 0.5 + 0.5 * 0.25);
    const StagePart last(3, 4);
    report_stage("epoch", 2, 2, 1);
    EXPECT_DOUBLE_EQ(reports.read().fraction, 1);
  }
  report_stage("epoch", 2, 4);
  EXPECT_DOUBLE_EQ(reports.read().fraction, 0.25) << "the parts have ended";
}

TEST(Stage, NobodyIsToldOutsideOfReports) {
  report_stage("epoch", 3, 4);
  const StageReports reports;

  EXPECT_EQ(reports.read().what, nullptr);
}

}  // namespace
}  // namespace elmx
