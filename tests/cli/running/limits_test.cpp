#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdlib>
#include <random>

#include "cli/shell.hpp"

// Limits of memory, time and sizes: validate, plan and run report them, and nothing exceeds them.

namespace elmx {
namespace {

class LimitsTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!fs::exists(fault_library())) GTEST_SKIP() << "not with sanitizers, whose memory has no limits";
  }

  /// Runs elmx in a shell after `limits` ("ulimit -v 400000"), with the default number of BLAS threads;
  /// killed after a minute.
  Outcome run_limited(const std::string& limits, const std::string& arguments) const {
    const std::string command = "cd '" + work().string() + "' && unset OPENBLAS_NUM_THREADS ELMX_DATA ELMX_HOME; " +
                                limits + "; timeout -s KILL 60 '" + elmx_binary().string() + "' " + arguments +
                                " >../stdout 2>../stderr";
    const int status = std::system(("bash -c \"" + command + "\"").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("../stdout"), read("../stderr")};
  }

  /// Returns the peak memory in MiB that plan predicts for a run.
  double planned(const std::string& config, const std::string& jobs) const {
    const std::string text = run({"plan", config, "--jobs", jobs}).out;
    const auto at = text.find("peak memory ");
    EXPECT_NE(at, std::string::npos) << text;
    std::istringstream words(text.substr(at + 12));
    double size = 0;
    std::string unit;
    words >> size >> unit;
    return size * (unit == "GiB" ? 1024 : 1);
  }

  /// Returns the peak resident memory of a run in MiB.
  double used(const std::string& config, const std::string& jobs) const {
    int status = 0;
    rusage usage{};
    const Arguments arguments{"run", config, "--jobs", jobs, "-o", jobs + config};
    ::wait4(start_program(elmx_binary().string(), arguments), &status, 0, &usage);
    EXPECT_EQ(status, 0);
    return static_cast<double>(usage.ru_maxrss) / 1024;
  }

  /// The plan is an upper bound for any number of jobs. How far two jobs overlap depends on the machine, so
  /// the plan of one is the one that is judged from below. Returns the memory that two jobs use.
  double expect_accurate_plan(const std::string& config) const {
    const double of_two = used(config, "2");
    EXPECT_LE(of_two, planned(config, "2"));
    const double most = planned(config, "1"), taken = used(config, "1");
    EXPECT_LE(taken, most);
    EXPECT_LE(most, 1.5 * taken);
    return of_two;
  }
};

TEST_F(LimitsTest, LimitedAddressSpaceSufficesOrIsRefused) {
  write("small.json", smallest_config().dump());
  std::size_t finished = 0;
  for (const int kilobytes : {200000, 300000, 400000, 600000, 2000000}) {
    const Outcome outcome =
        run_limited("ulimit -v " + std::to_string(kilobytes), "run small.json -o out" + std::to_string(kilobytes));
    finished += outcome.code == 0;
    if (outcome.code == 0) continue;
    EXPECT_EQ(finished, 0u) << kilobytes << ": what is enough once is enough with more";
    EXPECT_EQ(outcome.code, 2) << kilobytes << ": " << outcome.err;
    EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find("ulimit -v"), std::string::npos) << outcome.err;
  }
  EXPECT_GE(finished, 2u);
}

TEST_F(LimitsTest, InfoAndPlanNameTheLimit) {
  write("small.json", smallest_config().dump());

  EXPECT_NE(run_limited("ulimit -v 2000000", "info").out.find("(limit of ulimit -v) available\n"), std::string::npos);
  EXPECT_NE(run_limited("ulimit -v 2000000", "plan small.json").out.find("(limit of ulimit -v) available; about "),
            std::string::npos);
}

TEST_F(LimitsTest, WorkBeyondTheLimitIsRefusedFirst) {
  Json config = smallest_config();
  config["data"]["samples"] = 20000;
  config["model"]["nodes"]["stop"] = 8000;
  config["model"]["expanded_input"] = "stored";  // streamed, it would fit
  write("large.json", config.dump());

  const Outcome outcome = run_limited("ulimit -v 1500000", "run large.json");

  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
  for (const char* part : {"memory", "ulimit -v"}) EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("out"));
}

TEST_F(LimitsTest, OverflowingSizesAreRefused) {
  write(
      "c.json",
      R"({"data": {"set": "friedman1", "samples": 60}, "model": {"family": "rls", "input": {"steps": 4294967296, "rows": 4294967296}}})");

  for (const char* command : {"plan", "run"})
    refuses(2, {command, "c.json"}, {"elmx: c.json: model.input: ", "4294967296", "10"});
}

TEST_F(LimitsTest, PlanKnowsTheMemoryOfWideData) {
  std::mt19937 random(7);
  std::string text;
  for (int row = 0; row < 30; ++row) {
    text += std::to_string(row % 7);
    for (int j = 1 + static_cast<int>(random() % 50); j < 60000; j += 500)
      text += " " + std::to_string(j) + ":" + std::to_string(random() % 9);
    text += " 60000:1\n";
  }
  write("wide.svm", text);
  write(
      "wide.json",
      R"({"split": {"folds": 2}, "data": {"path": "wide.svm", "format": "libsvm"}, "model": {"algorithms": ["standard", "panel"], "nodes": {"stop": 100}}})");

  EXPECT_LE(expect_accurate_plan("wide.json"), 300) << "the data take 14 MiB, the weights 46";
}

TEST_F(LimitsTest, PlanKnowsTheMemoryOfTallData) {
  std::mt19937 random(7);
  std::string text;
  for (int row = 0; row < 200000; ++row) {
    for (int j = 0; j < 4; ++j) text += std::to_string(random() % 1000) + ",";
    text += std::to_string(random() % 10) + "\n";
  }
  write("tall.csv", text);
  write(
      "tall.json",
      R"({"data": {"path": "tall.csv", "target": ["-1"]}, "model": {"algorithms": ["panel"], "nodes": {"stop": 20}}})");

  expect_accurate_plan("tall.json");
}

// The choice by leave-one-out errors, and the model of all rows, need more memory than the folds.
TEST_F(LimitsTest, PlanBoundsTheMemoryOfAChosenModel) {
  std::mt19937 random(7);
  std::string text = "a,b,c,y\n";
  for (int row = 0; row < 60000; ++row)
    text += fmt::format("{},{},{},{}\n", random() % 1000, random() % 1000, random() % 1000, random() % 100);
  write("chosen.csv", text);
  write("chosen.json", R"({"data": {"path": "chosen.csv", "target": ["y"], "task": "regression"}, "save_model": true,
    "select": {"by": "loo_mse"}, "split": {"kind": "holdout"}, "preprocess": {"inputs": "standard"},
    "cases": {"elm": {"model": {"family": "elm", "algorithms": ["panel"], "ridge": [0.1, 1, 10], "reference": "none",
                                "nodes": [20, 60]}},
              "linear": {"model": {"family": "linear", "ridge": [0.1, 1, 10]}}}})");

  expect_accurate_plan("chosen.json");
}

/// One step of a network of 5 nodes, with this number of repeated measurements.
Json timed_steps(std::uint64_t repetitions) {
  Json model = Json::parse(
      R"({"algorithms": ["alg2"], "nodes": {"start": 2, "stop": 5, "report": [5]}, "timing": {"at": [5]}})");
  model["timing"]["repetitions"] = repetitions;
  return model;
}

TEST_F(LimitsTest, LongWorkIsNamedAndNotRefused) {
  Json config = smallest_config();
  config["model"] = timed_steps(10000000000000);
  write("long.json", config.dump());

  const Outcome validated = run({"validate", "long.json"}), planned = run({"plan", "long.json"});

  EXPECT_EQ(validated.code, 0) << validated.err;
  EXPECT_NE(validated.out.find(" of work"), std::string::npos) << validated.out;
  EXPECT_EQ(planned.code, 0) << planned.err;
  EXPECT_NE(planned.out.find(" days; "), std::string::npos) << planned.out;
}

TEST_F(LimitsTest, WorkBeyondACenturyIsRefused) {
  Json config = smallest_config();
  config["model"] = timed_steps(8000000000000000);
  config["repeats"] = 1000;
  write("endless.json", config.dump());

  for (const char* command : {"validate", "run"})
    refuses(2, {command, "endless.json"}, {"elmx: endless.json: model: ", "100 years"});
  EXPECT_EQ(run({"plan", "endless.json"}).code, 2);
}

}  // namespace
}  // namespace elmx
