#include <thread>

#include "cli/program.hpp"

namespace elmx {
namespace {

class BusyMachine : public ProgramTest {
 protected:
  /// Returns the spin count of waiting threads in the process that did the work. Each start of the program
  /// prints it to stderr.
  std::string looks(Environment environment) {
    write("config.json", R"({"name": "busy", "data": {"set": "friedman1", "samples": 60},
                             "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 4}}})");
    environment["OMP_DISPLAY_ENV"] = "verbose";
    const Outcome outcome = run({"run", "config.json", "-o", "out", "--force", "--threads", "2"}, environment);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string key = "GOMP_SPINCOUNT = '";
    const std::size_t at = outcome.err.rfind(key);
    if (at == std::string::npos) return "not shown";
    const std::size_t first = at + key.size();
    return outcome.err.substr(first, outcome.err.find('\'', first) - first);
  }
};

TEST_F(BusyMachine, WaitingThreadsSleepAfterAMoment) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "threads of one core do not look for each other";

  EXPECT_EQ(looks({{"GOMP_SPINCOUNT", ""}, {"OPENBLAS_NUM_THREADS", ""}}), "4000");
}

TEST_F(BusyMachine, WhatTheUserSaysOfWaitingStands) {
  EXPECT_EQ(looks({{"GOMP_SPINCOUNT", "77"}}), "77");
  EXPECT_EQ(looks({{"GOMP_SPINCOUNT", ""}, {"OMP_WAIT_POLICY", "passive"}}), "0");
}

}  // namespace
}  // namespace elmx
