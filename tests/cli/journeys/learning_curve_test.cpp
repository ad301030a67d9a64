#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

// From a schedule of samples or classes to its tables and diagrams.

class LearningCurve : public ProgramTest {
 protected:
  /// Runs a config of an ELM with this growth into `out`.
  Outcome train(Json config, const Json& growth) const {
    config["repeats"] = 2;
    config["split"] = {{"kind", "holdout"}};
    config["baseline"] = "retrain";
    config["model"] = {{"algorithms", {"retrain", "factor"}}, {"nodes", 15}, {"growth", growth}};
    write("config.json", config.dump());
    const Outcome outcome = run({"run", "config.json", "-o", "out"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
};

TEST_F(LearningCurve, SamplesAreRowsOfTablesAndAnAxis) {
  const Outcome trained = train({{"data", {{"set", "friedman1"}, {"samples", 300}}}}, {{"samples", {40, 80, 200}}});
  EXPECT_EQ(trained.out.find("optimistic"), std::string::npos) << trained.out;  // nothing is chosen by the test part

  const Outcome table = run({"table", "out", "--rows", "samples", "--cols", "algorithm", "--metric", "test_rmse"});
  EXPECT_EQ(table.code, 0) << table.err;
  for (const char* samples : {" 40 ", " 80 ", " 200 "})
    EXPECT_NE(table.out.find(samples), std::string::npos) << table.out;
  EXPECT_EQ(table.out.find("best on the test part"), std::string::npos) << table.out;

  const Outcome speed = run({"table", "out", "--rows", "samples", "--cols", "algorithm", "--metric", "step_speedup"});
  EXPECT_EQ(speed.code, 0) << speed.err;

  const Outcome plot = run({"plot", "out", "steps"});
  EXPECT_EQ(plot.code, 0) << plot.err;
  EXPECT_TRUE(fs::exists(work() / "out/plots/friedman1_test_rmse_by_samples.svg"));
  EXPECT_TRUE(fs::exists(work() / "out/plots/friedman1_step_seconds_by_samples.svg"));
}

TEST_F(LearningCurve, ClassesAreRowsOfTablesAndAnAxis) {
  train({{"data", {{"set", "gaussian_blobs"}, {"samples", 300}}}}, {{"classes", 1}});

  const Outcome table =
      run({"table", "out", "--rows", "classes", "--cols", "algorithm", "--metric", "average_accuracy,forgetting"});
  EXPECT_EQ(table.code, 0) << table.err;

  EXPECT_EQ(run({"plot", "out", "steps"}).code, 0);
  EXPECT_TRUE(fs::exists(work() / "out/plots/gaussian_blobs_average_accuracy_by_classes.svg"));
  EXPECT_TRUE(fs::exists(work() / "out/plots/gaussian_blobs_forgetting_by_classes.svg"));
}

TEST_F(LearningCurve, SchedulesThatTheDataCannotFillAreRefused) {
  const auto code = [&](const Json& data, const Json& growth) {
    write("bad.json", Json{{"data", data}, {"model", {{"nodes", 5}, {"growth", growth}}}}.dump());
    return run({"run", "bad.json", "-o", "bad"}).code;
  };
  EXPECT_EQ(code({{"set", "friedman1"}, {"samples", 50}}, {{"samples", {10, 100}}}), 2);
  EXPECT_EQ(code({{"set", "friedman1"}, {"samples", 50}}, {{"classes", 1}}), 2);
  write("saved.json", R"({"data": {"set": "sinc"}, "save_model": true, "model": {"growth": {"samples": [10]}}})");
  EXPECT_EQ(run({"validate", "saved.json"}).code, 2);
  EXPECT_EQ(code({{"set", "gaussian_blobs"}, {"samples", 50}}, {{"classes", 3}}), 2);
}

}  // namespace
}  // namespace elmx
