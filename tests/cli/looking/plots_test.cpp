#include <gtest/gtest.h>

#include "base/machine/machine.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// Runs of traced trainings.
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
    const Arguments arguments{"run", "config.json", "-o", "a", "--fake-clock", "--force"};
    return environment.empty() ? run_once(arguments) : run(arguments, environment);
  }
};

TEST_F(Plots, AreWrittenAfterTheTablesAndNamed) {
  const Outcome outcome = run_into_a();

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* file : {"a/plots/two_moons_objective.dat", "a/plots/two_moons_objective.gp"})
    EXPECT_TRUE(exists(file)) << file;
  if (run_program({"gnuplot", "--version"}, ".") != 0) return;
  EXPECT_TRUE(exists("a/plots/two_moons_objective.svg"));
  EXPECT_EQ(last_line(outcome), "plots in a/plots: two_moons_objective.svg");
}

TEST_F(Plots, AreOfEveryQuantityThatTablesHave) {
  write("elm.json", R"({"data": {"set": "sinc", "samples": 60}, "split": {"kind": "holdout"},
                        "model": {"algorithms": ["panel"], "nodes": {"start": 2, "stop": 9}, "leave_one_out": true}})");
  ASSERT_EQ(run({"run", "elm.json", "-o", "o"}).code, 0);
  for (const std::string metric : {"loo_mse", "gcv", "backward_error", "train_r2", "total_seconds"}) {
    EXPECT_EQ(run({"table", "o", "--metric", metric}).code, 0) << metric;
    const Outcome outcome = run({"plot", "o", "nodes", "--metric", metric});
    EXPECT_EQ(outcome.code, 0) << metric << outcome.err;
    EXPECT_TRUE(exists("o/plots/sinc_" + metric + "_by_nodes.dat")) << metric;
  }
}

TEST_F(Plots, WithoutGnuplotOnlyScriptsAreWritten) {
  run_into_a();

  const Outcome outcome = run_into_a({{"PATH", "/nowhere"}});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(last_line(outcome).ends_with("a/plots: two_moons_objective.gp")) << outcome.err;
  EXPECT_FALSE(exists("a/plots/two_moons_objective.svg")) << "that of the run before";
  EXPECT_TRUE(exists("a/plots/two_moons_objective.dat"));
}

TEST_F(Plots, OfAPublishedTableBeginWithItsName) {
  Json config = Json::parse(read("config.json"));
  config["name"] = "demo";
  config["paper"] = {{"published", "demo.csv"}, {"case", "two_moons"}, {"metric", "test_acc"}};
  write("configs/paper/demo.json", config.dump());
  write("data/paper/demo.csv", "algorithm,value\ndec,1\n");
  write("data/catalogue.json", content_of(source_dir() / "data/catalogue.json"));

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

/// Tests `elmx plot` on a results folder.
class PlotVerb : public ProgramTest {
 protected:
  void SetUp() override {
    write("config.json", small_config().dump());
    ASSERT_EQ(run({"run", "config.json", "-o", "a", "--fake-clock"}).code, 0);
  }
};

TEST_F(PlotVerb, DrawsWhatTheRecordsCanShow) {
  const Outcome outcome = run({"plot", "a"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const char* name : {"regression_friedman1_test_rmse_by_nodes", "classification_two_moons_test_acc_by_nodes",
                           "regression_friedman1_weight_error_by_nodes", "classification_two_moons_step_speedup"}) {
    EXPECT_TRUE(exists(std::string("a/plots/") + name + ".dat")) << name;
    EXPECT_TRUE(exists(std::string("a/plots/") + name + ".gp")) << name;
  }
}

TEST_F(PlotVerb, KindMetricConditionAndFolderAreChosen) {
  const Outcome outcome = run({"plot", "a", "nodes", "--metric", "train_mse", "--where", "case=regression", "-o", "b"},
                              {{"PATH", "/nowhere"}});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with("b/plots: regression_friedman1_train_mse_by_nodes_where_case_regression.gp\n"))
      << outcome.err;
  EXPECT_FALSE(exists("a/plots"));
}

TEST_F(PlotVerb, DrawsTheFormatsThatAreAskedFor) {
  if (run_program({"gnuplot", "--version"}, ".") != 0) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome outcome = run({"plot", "a", "nodes", "--format", "pdf,png"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string name = "a/plots/regression_friedman1_test_rmse_by_nodes";
  EXPECT_TRUE(exists(name + ".pdf"));
  EXPECT_TRUE(exists(name + ".png"));
  EXPECT_FALSE(exists(name + ".svg"));
}

TEST_F(PlotVerb, RefusesFormatsThatGnuplotLacks) {
  write("bin/gnuplot", "#!/bin/sh\ncase \"$*\" in *cairo*) exit 1;; esac\n");
  fs::permissions(work() / "bin/gnuplot", fs::perms::owner_all);
  const std::string path = (work() / "bin").string() + ":/usr/bin:/bin";

  const Outcome outcome = run({"plot", "a", "--format", "svg,pdf"}, {{"PATH", path}});

  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--format pdf"), std::string::npos) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  EXPECT_FALSE(exists("a/plots"));
}

TEST_F(PlotVerb, RefusesUnknownOrEmptyDiagrams) {
  refuses(2, {"plot", "a", "--format", "svgg"}, {"elmx: --format", "svgg", "\"svg\""});
  refuses(2, {"plot", "a", "node"}, {"elmx: plot", "plot node", "\"nodes\""});
  refuses(2, {"plot", "a", "--metric", "acu"}, {"elmx: --metric", "acu", "\"acc\""});
  refuses(2, {"plot", "a", "--where", "case=regresion"}, {"elmx: --where ", "\"regresion\"", "\"regression\""});
  refuses(2, {"plot", "a", "speedup", "--baseline", "alg9"}, {"\"alg9\""});
  refuses(3, {"plot", "a", "ridge"}, {"elmx: a: ", "ridge"});
  refuses(3, {"plot", "b"}, {"elmx: b/records.jsonl: "});
}

}  // namespace
}  // namespace elmx
