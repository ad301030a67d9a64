#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "base/machine/machine.hpp"

namespace elmx {
namespace {

TEST(Process, GivesTheExitCode) {
  EXPECT_EQ(run_program({"true"}, "."), 0);
  EXPECT_EQ(run_program({"sh", "-c", "exit 7"}, "."), 7);
  EXPECT_EQ(run_program({"sh", "-c", "kill -TERM $$"}, "."), 128 + 15);
}

TEST(Process, AProgramThatIsNotThereIsNoError) {
  EXPECT_EQ(run_program({"no-such-program-anywhere"}, "."), std::nullopt);
  EXPECT_THROW(static_cast<void>(run_program({"true"}, "/no/such/folder")), std::system_error);
}

TEST(Process, RunsInTheFolderWithItsArgumentsAsTheyAre) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "elmx process '$HOME'";
  std::filesystem::create_directories(folder);

  EXPECT_EQ(run_program({"test", "$(echo a) 'b'", "=", "$(echo a) 'b'"}, folder), 0);
  EXPECT_EQ(run_program({"touch", "here *"}, folder), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "here *"));
  std::filesystem::remove_all(folder);
}

TEST(Process, IsKilledAtItsTimeLimit) {
  using namespace std::chrono_literals;
  EXPECT_EQ(run_program({"sleep", "1000"}, ".", 20ms), kTookTooLong);
  EXPECT_EQ(run_program({"sh", "-c", "exit 7"}, ".", 1h), 7);
}

TEST(Process, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_program({"sh", "-c", "echo out; echo err >&2"}, "."), 0);

  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace elmx
