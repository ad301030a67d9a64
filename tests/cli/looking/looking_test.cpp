#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "experiment/records/record.hpp"

namespace elmx {
namespace {

/// A results folder "out": two algorithms on two data sets, six folds; alg2 is worse everywhere.
class Looking : public ProgramTest {
 protected:
  void SetUp() override {
    std::string lines;
    for (const std::string dataset : {"airfoil", "yacht"}) {
      for (const std::string algorithm : {"alg1", "alg2"}) {
        for (arma::uword fold = 0; fold < 6; ++fold) {
          Record record;
          record.dataset = dataset;
          record.algorithm = algorithm;
          record.fold = fold;
          record.key = dataset + algorithm + std::to_string(fold);
          const double error = 1 + (algorithm == "alg2" ? 0.125 * static_cast<double>(fold + 1) : 0);
          record.steps.push_back({20, Status::ok, {{"test_rmse", error}}, "", {1e-3, 1e-4, 10}, 0.5});
          lines += to_json(record).dump() + "\n";
        }
      }
    }
    write("out/records.jsonl", lines);
  }
};

TEST_F(Looking, PivotsFollowTheFormatOfTheFile) {
  const Arguments pivot = {"table",     "out",      "--rows",    "dataset", "--cols",
                           "algorithm", "--metric", "test_rmse", "--stat",  "mean"};
  const auto with = [&](const Arguments& more) {
    Arguments all = pivot;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const std::string csv = "dataset,alg1/test_rmse,alg2/test_rmse\nairfoil,1,1.4375\nyacht,1,1.4375\n";

  EXPECT_NE(with({"--best"}).out.find("| airfoil | **1.000** | 1.438 |"), std::string::npos);
  EXPECT_EQ(with({"--format", "csv"}).out, csv);
  const Outcome file = with({"-o", "pivot.csv"});
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(file.out, "");
  EXPECT_EQ(read("pivot.csv"), csv);
  EXPECT_NE(with({"--format", "tex"}).out.find("\\toprule"), std::string::npos);
  EXPECT_EQ(Json::parse(with({"--format", "json", "--where", "dataset=yacht"}).out)["rows"].size(), 1u);
}

TEST_F(Looking, APaperNamesItsTablesAndTheirValues) {
  const Outcome tex =
      run({"table",    "out",         "--metric", "test_rmse",  "--rows",    "dataset",
           "--cols",   "algorithm",   "--format", "tex",        "--caption", "Boats & wings",
           "--label",  "mine",        "--width",  "two-column", "--rename",  "algorithm.alg1=Proposed 1",
           "--rename", "dataset=Data"});
  EXPECT_EQ(tex.code, 0) << tex.err;
  for (const char* part : {"\\begin{table*}", "{Boats \\& wings}", "{tab:mine}", "Proposed 1", "Data &"})
    EXPECT_NE(tex.out.find(part), std::string::npos) << part << tex.out;

  const Outcome standard = run({"table", "out", "--format", "tex", "--rename", "algorithm.alg1=Proposed 1"});
  EXPECT_NE(standard.out.find("Proposed 1"), std::string::npos) << standard.err;
  EXPECT_NE(standard.out.find("{tab:regression}"), std::string::npos);
  EXPECT_NE(run({"table", "out", "--rename", "test_rmse=Error"}).out.find(" Error |"), std::string::npos);
}

TEST_F(Looking, TargetNamesMayHaveCommas) {
  std::string numbers = "x,\"a, b\",c=d\n";
  for (int i = 0; i < 40; ++i) numbers += fmt::format("{},{},{}\n", i, i % 7, i * i % 11);
  write("two.csv", numbers);
  write("two.json", Json({{"data", {{"path", "two.csv"}, {"target", {"a, b", "c=d"}}}},
                          {"split", {{"kind", "k_fold"}, {"folds", 2}}},
                          {"model", {{"family", "linear"}}}})
                        .dump());
  ASSERT_EQ(run({"run", "two.json", "-o", "two"}).code, 0);

  const Outcome table = run({"table", "two", "--metric", "test_rmse[a, b],test_rmse[c=d]", "--rows", "algorithm",
                             "--format", "csv", "--rename", "test_rmse[c=d]=Error"});

  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("test_rmse[a, b]"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("Error"), std::string::npos) << table.out;
}

TEST_F(Looking, SeveralTablesAreOneListInJson) {
  const Json tables = Json::parse(run({"table", "out", "--format", "json"}).out);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0]["name"], "regression");
  EXPECT_EQ(tables[1]["name"], "time");
}

TEST_F(Looking, MetricsOfTheTestPartHaveShortNames) {
  const auto pivot = [&](const std::string& metric) {
    return run({"table", "out", "--rows", "dataset", "--metric", metric, "--format", "csv"}).out;
  };
  const auto compared = [&](const std::string& metric) {
    return run({"compare", "out", "--by", "algorithm", "--metric", metric}).out;
  };
  for (const char* metric : {"rmse", "RMSE", "Test_RMSE"}) {
    EXPECT_EQ(pivot(metric), pivot("test_rmse")) << metric;
    EXPECT_EQ(compared(metric), compared("test_rmse")) << metric;
  }
  const Arguments full{"table", "out", "--rows", "dataset", "--metric", "test_r2", "--percent", "test_r2"};
  EXPECT_EQ(run({"table", "out", "--rows", "dataset", "--metric", "R2", "--percent", "r2"}).out, run(full).out);
  EXPECT_NE(pivot("test_rmse"), "");
  EXPECT_NE(compared("test_rmse"), "");
}

TEST_F(Looking, WhatAPivotCannotShowIsRefused) {
  refuses(2, {"table", "out", "--metric", "test_rmse", "--cols", "algorithm", "--best", "--format", "csv"},
          {"elmx: --best: ", "csv"});
  refuses(2, {"table", "out", "--rows", "dataset"}, {"elmx: table: --rows", "--metric"});
  refuses(2, {"table", "out", "--metric", "test_rmse", "--baseline", "alg1"}, {"elmx: --baseline: ", "--metric"});
  refuses(2, {"table", "out", "--metric", "test_rms"}, {"elmx: --metric", "test_rms", "\"test_rmse\""});
  refuses(2, {"table", "out", "--metric", "test_rmse", "--rows", "set"}, {"elmx: --rows", "set"});
  refuses(2, {"table", "out", "--metric", "test_rmse", "--digits", "0"}, {"--digits"});
  refuses(2, {"table", "out", "--rename", "algorithm.alg3=x"}, {"algorithm.alg3", "algorithm.alg"});
  refuses(2, {"table", "out", "--rename", "test_rms=x"}, {"test_rms", "\"test_rmse\""});
  refuses(2, {"table", "out", "--label", "x"}, {"--label", "--metric"});
  refuses(2, {"table", "out", "--width", "one-column"}, {"elmx: --width", "tex"});
  refuses(2, {"table", "out", "--format", "tex", "--width", "wide"}, {"--width", "one-column"});
  refuses(2, {"table", "out", "--metric", "test_rmse", "-o", "nowhere/x.md"}, {"elmx: nowhere/x.md: "});
}

TEST_F(Looking, CompareTestsTheValuesOfAField) {
  const Outcome outcome = run({"compare", "out", "--by", "algorithm", "--format", "csv"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("airfoil,20,alg2,test_rmse,6,1,1.4375,0.4375,"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(",0.03125,higher"), std::string::npos) << outcome.out;
}

TEST_F(Looking, WhatCompareCannotDoIsRefused) {
  refuses(2, {"compare", "out", "--metric", "test_rmse"}, {"elmx: compare: ", "--metric", "--by"});
  refuses(2, {"compare", "out", "out", "--by", "algorithm"}, {"elmx: compare: ", "2 folders"});
  refuses(2, {"compare", "out", "out", "--test", "welch"}, {"\"welch\"", "wilcoxon, t, corrected_t"});
  refuses(2, {"compare", "out", "out", "--test", "corrected_t"}, {"out/experiment.json: ", "split"});
  refuses(2, {"compare", "out", "--by", "algorithm", "--alpha", "1.5"}, {"--alpha"});
  refuses(2, {"compare", "out", "--by", "fold"}, {"elmx: --by", "fold"});
}

}  // namespace
}  // namespace elmx
