#include <gtest/gtest.h>

#include "base/process.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// Runs of trainings that are traced.
class Plots : public ProgramTest {
 protected:
  void SetUp() override {
    write("config.json", R"({
      "data": {"set": "two_moons", "samples": 60}, "split": {"kind": "holdout"}, "repeats": 2,
      "model": {"family": "dec", "algorithms": ["dec", "elm"], "nodes": [4], "dec": {"report": [2, 5]}}})");
  }

  std::string last_line(const Outcome& outcome) const {
    const auto lines = lines_of(outcome.err);
    return lines.empty() ? "" : lines.back();
  }
  Outcome run_into_a(const Environment& environment = {}) const {
    return run({"run", "config.json", "-o", "a", "--fake-clock", "--force"}, environment);
  }
};

TEST_F(Plots, AreWrittenAfterTheTablesAndNamed) {
  const Outcome outcome = run_into_a();

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* file : {"a/plots/two_moons_objective.dat", "a/plots/two_moons_objective.gp"}) EXPECT_TRUE(exists(file)) << file;
  if (run_program({"gnuplot", "--version"}, ".") != 0) return;
  EXPECT_TRUE(exists("a/plots/two_moons_objective.svg"));
  EXPECT_EQ(last_line(outcome), "plots in a/plots: two_moons_objective.svg");
}

TEST_F(Plots, WithoutGnuplotComeAsScriptsAndOneLineSaysSo) {
  run_into_a();

  const Outcome outcome = run_into_a({{"PATH", "/nowhere"}});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(last_line(outcome), "gnuplot, which is not installed, would make SVG files in a/plots: two_moons_objective.gp");
  EXPECT_FALSE(exists("a/plots/two_moons_objective.svg")) << "that of the run before";
  EXPECT_TRUE(exists("a/plots/two_moons_objective.dat"));
}

TEST_F(Plots, OfAPublishedTableBeginWithItsName) {
  Json config = Json::parse(read("config.json"));
  config["name"] = "demo";
  config["paper"] = {{"published", "demo.csv"}, {"case", "two_moons"}, {"metric", "test_acc"}};
  write("configs/paper/demo.json", config.dump());
  write("data/paper/demo.csv", "algorithm,value\ndec,1\n");
  write("data/catalogue.json", content_of(fs::path(ELMX_SOURCE_DIR) / "data/catalogue.json"));

  const Outcome outcome = run({"reproduce", "demo", "-o", "out", "--fake-clock"}, {{"ELMX_HOME", work().string()}});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(exists("out/demo/plots/demo_two_moons_objective.gp")) << outcome.err;
}

TEST_F(Plots, AreNotTouchedByTable) {
  run_into_a();
  fs::remove_all(work() / "a/plots");

  EXPECT_EQ(run({"table", "a"}).code, 0);
  EXPECT_FALSE(exists("a/plots"));
}

TEST_F(Plots, AreNotMadeOfRunsWithoutTraces) {
  write("config.json", smallest_config().dump());

  const Outcome outcome = run_into_a();

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(exists("a/plots"));
  EXPECT_EQ(outcome.err.find("plot"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace elmx
