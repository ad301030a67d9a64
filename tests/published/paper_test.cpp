#include "published/paper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "published/judged.hpp"
#include "report/formats/table_formats.hpp"
#include "support/records.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

PaperOptions options_from(const char* json) {
  PaperOptions options;
  read_options(parse_json(json, "test"), "/paper", options);
  return options;
}

/// Judges a published test_mse of 0.04 (Airfoil, 3 nodes) by `rule` against a measured value.
std::string verdict(const std::string& rule, double measured, const std::string& value = "0.04") {
  const Published published =
      parse_published("dataset,nodes,metric,algorithm,value\nAirfoil,3,testing_mse,all," + value, "t");
  const PaperOptions options =
      options_from((R"({"metric_names": {"testing_mse": "test_mse"}, "rules": [)" + rule + "]}").c_str());
  const auto comparison = compare_with_paper(
      options, published, in_runs({one_step_record("airfoil", "standard", 0, 3, {{"test_mse", measured}})}));
  return comparison.table.rows.at(0).back().text;
}

TEST(Paper, EveryRuleAcceptsTheRightAndRefusesTheWrong) {
  EXPECT_EQ(verdict(R"({"rule": "relative", "tolerance": 0.1})", 0.0435), "agrees");
  EXPECT_EQ(verdict(R"({"rule": "relative", "tolerance": 0.1})", 0.0445), "disagrees");
  EXPECT_EQ(verdict(R"({"rule": "relative", "tolerance": 0.1})", 0.0355), "disagrees");
  EXPECT_EQ(verdict(R"({"rule": "absolute", "tolerance": 0.01})", 0.031), "agrees");
  EXPECT_EQ(verdict(R"({"rule": "absolute", "tolerance": 0.01})", 0.029), "disagrees");
  EXPECT_EQ(verdict(R"({"rule": "at_most_times", "factor": 2})", 1e-9), "agrees");
  EXPECT_EQ(verdict(R"({"rule": "at_most_times", "factor": 2})", 0.081), "disagrees");
  EXPECT_EQ(verdict(R"({"rule": "not_below", "tolerance": 0.01})", 7), "agrees");
  EXPECT_EQ(verdict(R"({"rule": "not_below", "tolerance": 0.01})", 0.031), "agrees");
  EXPECT_EQ(verdict(R"({"rule": "not_below", "tolerance": 0.01})", 0.029), "disagrees");
  EXPECT_EQ(verdict(R"({"rule": "shown"})", 7), "shown");
}

TEST(Paper, APublishedGapAgreesWithAGap) {
  const std::string rule = R"({"match": {"value": "NA"}, "rule": "absent"}, {"rule": "absolute", "tolerance": 0.01})";

  EXPECT_EQ(verdict(rule, std::numeric_limits<double>::quiet_NaN(), "NA"), "agrees");
  EXPECT_EQ(verdict(rule, 0.04, "NA"), "disagrees");
  EXPECT_EQ(verdict(rule, 0.04), "agrees");
}

TEST(Paper, AGapOfWhatWasNotRunShowsNothing) {
  const Published published = parse_published("case,algorithm,value\na,alg1,NA\na,alg2,NA\n", "t");
  const PaperOptions options = options_from(
      R"({"case": "{case}", "metric": "test_mse", "rules": [{"match": {"value": "NA"}, "rule": "absent"}]})");
  Record failed = one_step_record("a", "alg1", 0, 3, {});
  failed.status = TrialStatus::numeric("not_positive_definite");
  failed.steps.clear();

  const auto comparison = compare_with_paper(options, published, in_runs({failed}));

  EXPECT_EQ(comparison.table.rows.at(0).back().text, "agrees");
  EXPECT_EQ(comparison.table.rows.at(1).back().text, "NA");
  failed.status = TrialStatus::other("out of memory");
  EXPECT_EQ(compare_with_paper(options, published, in_runs({failed})).table.rows.at(0).back().text, "NA");
}

TEST(Paper, ACellThatAllTrialsFailedToReachIsToldFromOneThatWasNotRun) {
  const Published published = parse_published("case,algorithm,value\na,alg1,0.5\na,alg2,0.5\n", "t");
  const PaperOptions options =
      options_from(R"({"case": "{case}", "metric": "test_mse", "rules": [{"rule": "absolute"}]})");
  Record failed = one_step_record("a", "alg1", 0, 3, {});
  failed.status = TrialStatus::numeric("not_positive_definite");
  failed.steps.clear();

  const Table table = compare_with_paper(options, published, in_runs({failed})).table;

  const auto measured =
      static_cast<std::size_t>(std::ranges::find(table.columns, "measured", &Column::name) - table.columns.begin());
  ASSERT_GT(table.rows.at(0).at(measured).note, 0);
  // One trial fails in each of three runs.
  EXPECT_EQ(table.footnotes.at(table.rows.at(0).at(measured).note - 1), "3 trials of it failed");
  EXPECT_EQ(table.rows.at(1).at(measured).note, 0);
  EXPECT_EQ(table.rows.at(0).back().text, "NA");
  EXPECT_EQ(table.rows.at(1).back().text, "NA");
}

TEST(Paper, BestIsTheSizeWithTheLargestValue) {
  std::vector<Record> records;
  for (const auto& [nodes, accuracy] : std::vector<std::pair<arma::uword, double>>{{3, 0.8}, {5, 0.9}, {7, 0.7}}) {
    records.push_back(one_step_record("mnist", "chol-1", 0, nodes, {{"test_acc", accuracy}}));
    records.back().key += std::to_string(nodes);
  }
  const Published published = parse_published("dataset,algorithm,value\nmnist,chol-1,90", "t");
  const auto cell = [&](const char* nodes) {
    PaperOptions options =
        options_from(R"({"metric": "test_acc", "rules": [{"rule": "absolute", "tolerance": 0.001, "scale": 0.01}]})");
    options.nodes = nodes;
    return compare_with_paper(options, published, in_runs(records)).table.rows.at(0).back().text;
  };

  EXPECT_EQ(cell("best"), "agrees");
  EXPECT_EQ(cell(""), "disagrees") << "the largest network";
}

TEST(Paper, ASpeedUpIsOverTheReferenceOfItsRow) {
  Record fast = one_step_record("mnist", "chol-1", 0, 3, {}), slow = one_step_record("mnist", "orig", 0, 3, {});
  fast.steps[0].step = {1, 0, 1};
  fast.steps[0].total_seconds = 2;
  slow.steps[0].step = {4, 0, 1};
  slow.steps[0].total_seconds = 6;
  const Published published = parse_published(
      "dataset,nodes,metric,algorithm,reference,value\nmnist,3,step_speedup,Chol-1,Orig.,4\nmnist,3,total_speedup,Chol-"
      "1,Orig.,3",
      "t");

  const auto comparison = compare_with_paper(
      options_from(
          R"({"reference": "{reference}", "algorithm_names": {"Chol-1": "chol-1", "Orig.": "orig"}, "rules": [{"rule": "absolute", "tolerance": 0.5}]})"),
      published, in_runs({fast, slow}));

  EXPECT_EQ(comparison[Verdict::agrees], 2u);
}

TEST(Paper, TheFirstRuleThatAppliesIsUsedAndNoRuleShows) {
  const std::string strict = R"({"rule": "relative", "tolerance": 0.01})";

  EXPECT_EQ(verdict(R"({"match": {"metric": "Testing_MSE", "nodes": [3]}, "rule": "shown"}, )" + strict, 9), "shown");
  EXPECT_EQ(verdict(R"({"match": {"metric": ["other"]}, "rule": "shown"}, )" + strict, 9), "disagrees");
  EXPECT_EQ(verdict(R"({"match": {"nodes": [100]}, "rule": "shown"}, )" + strict, 9), "disagrees");
  EXPECT_EQ(verdict(R"({"match": {"algorithm": "alg1"}, "rule": "shown"}, )" + strict, 9), "disagrees");
  EXPECT_EQ(verdict(R"({"match": {"metric": "other"}, "rule": "relative"})", 9), "shown");
}

TEST(Paper, APublishedPercentIsScaled) {
  const std::string rule = R"({"rule": "absolute", "tolerance": 0.001, "scale": 0.01})";

  EXPECT_EQ(verdict(rule, 0.9654, "96.54"), "agrees");
  EXPECT_EQ(verdict(rule, 0.9554, "96.54"), "disagrees");
}

TEST(Paper, WhatTheRunLacksIsNAAndWhatThePaperLacksIsShown) {
  const std::string rule = R"({"rule": "relative"})";
  const Published published = parse_published("dataset,nodes,metric,algorithm,value\nAirfoil,9,mse,all,1", "t");

  EXPECT_EQ(verdict(rule, std::numeric_limits<double>::quiet_NaN()), "NA");
  EXPECT_EQ(verdict(rule, 0.04, "NA"), "shown");
  const auto comparison =
      compare_with_paper(options_from(R"({"rules": [{"rule": "relative"}]})"), published, small_run());
  EXPECT_EQ(comparison[Verdict::not_available], 1u);
  EXPECT_EQ(comparison.table.remarks.at(0), "agree: 0 of 1 cells; 0 disagree, 1 NA");
}

// Published speed-ups 2.0, 8.0, 7.8 (the last two tied within 5 %) of alg1, alg2, alg3 over existing.
PaperComparison speedups(double alg1, double alg2, double alg3) {
  const Published published = parse_published(
      "dataset,nodes,algorithm,metric,value\nA,3,alg1,speedup,2.0\nA,3,alg2,speedup,8.0\nA,3,alg3,speedup,7.8\n"
      "A,4,alg3,speedup,1.0\n",
      "t");
  std::vector<Record> records = {one_step_record("A", "existing", 0, 3, {})};
  for (const auto& [name, ratio] : {std::pair("alg1", alg1), std::pair("alg2", alg2), std::pair("alg3", alg3)}) {
    records.push_back(one_step_record("A", name, 0, 3, {}));
    records.back().steps[0].step.mean = records[0].steps[0].step.mean / ratio;
  }
  const PaperOptions options = options_from(
      R"({"metric_names": {"speedup": "step_speedup"}, "where": {"nodes": 3}, "rules": [{"rule": "order", "ties": 0.05}]})");
  return compare_with_paper(options, published, in_runs(records));
}

TEST(Paper, TheOrderOfTheAlgorithmsHoldsUpToTies) {
  EXPECT_EQ(speedups(1.5, 20, 30)[Verdict::agrees], 3u);
  EXPECT_EQ(speedups(1.5, 30, 20)[Verdict::agrees], 3u);
}

TEST(Paper, AnOrderThatFailsIsFoundAtEachOfTheTwo) {
  const auto comparison = speedups(25, 20, 30);  // alg1 before alg2

  EXPECT_EQ(comparison[Verdict::disagrees], 2u);
  EXPECT_EQ(comparison.table.rows[0].back().text, "disagrees");
  EXPECT_EQ(comparison.table.rows[1].back().text, "disagrees");
  EXPECT_EQ(comparison.table.rows[2].back().text, "agrees");
}

TEST(Paper, StatisticNodesAndPointComeFromColumns) {
  const Published published = parse_published(
      "lambda,split,metric,statistic,z,h,value\n1e-1,test,ACC,mean,1,2,0.8\n1e-1,test,ACC,variance,1,2,0.1\n", "t");
  std::vector<Record> records;
  for (const double ridge : {0.1, 0.2}) {
    for (const arma::uword fold : {0u, 1u}) {
      records.push_back(
          one_step_record("", "standard", fold, 3, {{"test_acc", 0.7 + ridge * 2 * static_cast<double>(fold)}}));
      records.back().point["/model/ridge"] = ridge;
    }
  }
  PaperOptions options = options_from(
      R"({"case": "airfoil", "nodes": "{z}+{h}", "metric": "{split}_{metric}", "point": {"/model/ridge": "{lambda}"},
          "where": {"z": 1}})");

  const Table table = compare_with_paper(options, published, records).table;

  EXPECT_NEAR(*table.rows[0][7].value, 0.8, 1e-12);                   // mean of 0.7 and 0.9
  EXPECT_NEAR(*table.rows[1][7].value, 0.2 / std::sqrt(2.0), 1e-12);  // their deviation
  options.point = Json::object();
  EXPECT_THROW(compare_with_paper(options, published, records), ConfigError);
}

/// Returns small_run in three runs of two folds that differ by 0.005.
std::vector<Record> runs_of_small() {
  std::vector<Record> records;
  for (const arma::uword repeat : {0u, 1u, 2u}) {
    for (Record record : small_run()) {
      record.repeat = repeat;
      record.key += std::to_string(repeat);
      record.steps[0].metrics["test_mse"] += 0.005 * (static_cast<double>(repeat) - 1);
      records.push_back(record);
    }
  }
  return records;
}

TEST(Paper, ReasonsStandAtTheCellsThatDisagree) {
  const Published published = parse_published(
      "dataset,nodes,metric,algorithm,value\nAirfoil,3,test_mse,alg2,1\nAirfoil,3,test_mse,alg10,0.0448\n", "t");
  const PaperOptions options = options_from(
      R"({"title": "Demo", "rules": [{"rule": "relative"}],
          "reasons": [{"match": {"dataset": "airfoil"}, "why": "the paper's split is unknown"}]})");

  // means of the runs 0.04, 0.045, 0.05: t(2) 0.005 / sqrt(3) = 0.01242.
  // To the bound 0.04928 are 0.00428: 8 runs have t(7) 0.005 / sqrt(8) = 0.00418
  const auto comparison = compare_with_paper(options, published, runs_of_small());

  EXPECT_EQ(comparison[Verdict::disagrees], 1u);
  EXPECT_EQ(comparison.explained, 1u);
  EXPECT_EQ(to_markdown(comparison.table), R"(### Demo: published and measured

| dataset | nodes | metric   | algorithm | published | measured |  ratio | difference | runs | 95 % from |      to | more runs | verdict                                    |
|:--------|:------|:---------|:----------|----------:|---------:|-------:|-----------:|-----:|----------:|--------:|----------:|:-------------------------------------------|
| Airfoil | 3     | test_mse | alg2      |     1.000 |  0.04500 | 0.0450 |   -9.5e-01 |    3 |   0.03258 | 0.05742 |        NA | disagrees [1]                              |
| Airfoil | 3     | test_mse | alg10     |   0.04480 |  0.04500 |   1.00 |    2.0e-04 |    3 |   0.03258 | 0.05742 |         5 | consistent, about 5 more runs would decide |

agree: 0 of 2 cells; 1 disagree (1 with a stated reason), 1 consistent  
consistent and contrary cells are not decided; about 5 more runs would decide 1 of them  
All cells agree within 10 % of the published value (relative).  
[1] the paper's split is unknown  
)");
}

TEST(Paper, SymbolicCellsMustBeTheSameText) {
  const Published published =
      parse_published("algorithm,step,flops\nexisting,update,16lK\nalg1,update,6lK\nalg2,update,2lK\n", "t");
  const PaperOptions options =
      options_from(R"({"case": "", "metric": "{step}", "value": "flops", "rules": [{"rule": "same_text"}],
                       "reasons": [{"match": {"algorithm": "alg1"}, "why": "another count"}]})");

  const auto comparison = compare_with_paper(options, published, std::vector<Record>(),
                                             {{{"existing", "update"}, "16lK"}, {{"alg1", "update"}, "8lK"}});

  EXPECT_EQ(comparison[Verdict::agrees], 1u);
  EXPECT_EQ(comparison[Verdict::disagrees], 1u);
  EXPECT_EQ(comparison[Verdict::not_available], 1u);
  EXPECT_NE(to_markdown(comparison.table).find("; 1 disagree, 1 NA (1 of these 2 with a stated reason)"),
            std::string::npos);
}

TEST(Paper, DoesNotDependOnTheOrderOfTheLines) {
  const Published published = read_published(source_dir() / "data/paper", {"elm_table2_regression_errors.csv"});
  const PaperOptions options = options_from(
      R"({"metric_names": {"testing_mse": "test_mse"}, "where": {"activation": "Gaussian"}, "rules": [{"rule": "at_most_times"}]})");
  const auto text = [&](const std::vector<Record>& records) {
    return to_markdown(compare_with_paper(options, published, records).table);
  };

  EXPECT_EQ(text(shuffled(small_run(), 3)), text(small_run()));
}

TEST(Paper, OptionsAreReadStrictlyAndWrittenBack) {
  EXPECT_THROW(options_from(R"({"rule": []})"), ConfigError);
  EXPECT_THROW(options_from(R"({"rules": [{"rule": "roughly"}]})"), ConfigError);
  EXPECT_THROW(options_from(R"({"rules": [{"tolerance": -1}]})"), ConfigError);
  const Json written = write_options(options_from(R"({"rules": [{"match": {"nodes": [3]}}]})"));
  PaperOptions again;
  read_options(written, "/paper", again);
  EXPECT_EQ(write_options(again), written);
  EXPECT_EQ(written["algorithm_names"]["all"], "standard");
  EXPECT_NE(schema_of<PaperOptions>().dump().find("at_most_times"), std::string::npos);
}

/// Returns a run whose test_rmse is 0.5 + iterations at 20 nodes and 1 more at 50.
std::vector<Record> run_that_iterates() {
  std::vector<Record> records = iterating_run();
  for (Record& record : records) {
    record.experiment_case = "raw";
    record.point["/preprocess/inputs"] = "none";
    for (StepRecord& step : record.steps) step.metrics["test_rmse"] += static_cast<double>(step.iterations);
    const std::vector<StepRecord> at_20 = record.steps;
    for (StepRecord step : at_20) {
      step.nodes = 50;
      step.metrics["test_rmse"] += 1;
      record.steps.push_back(step);
    }
  }
  return records;
}

std::string iterating_table() {
  return "algorithm,iterations,neurons,metric,value\ndec,2,20,test_rmse,2.5\ndec,10,50,test_rmse,11.5\nelm,,20,test_"
         "rmse,0.5\n"
         "lbfgs,1000,20,test_rmse,1000.5\n";
}

std::vector<double> measured_by(const PaperOptions& options, const std::string& table,
                                const std::vector<Record>& records) {
  const Table compared = compare_with_paper(options, parse_published(table, "t"), records).table;
  const auto at = std::find_if(compared.columns.begin(), compared.columns.end(),
                               [](const Column& c) { return c.name == "measured"; });
  std::vector<double> measured;
  for (const auto& row : compared.rows)
    measured.push_back(row[static_cast<std::size_t>(at - compared.columns.begin())].value.value_or(-1));
  return measured;
}

TEST(PaperIterations, ComeFromTheirColumn) {
  EXPECT_EQ(
      measured_by(options_from(R"({"case": "raw", "nodes": "{neurons}"})"), iterating_table(), run_that_iterates()),
      (std::vector<double>{2.5, 11.5, 0.5, 1000.5}));
}

TEST(PaperIterations, AreTheMostReportedWhereTheTableDoesNotSay) {
  const std::string table = "algorithm,metric,value\ndec,test_rmse,1\nlbfgs,test_rmse,1\nelm,test_rmse,1\n";

  EXPECT_EQ(measured_by(options_from(R"({"case": "raw", "nodes": "20"})"), table, run_that_iterates()),
            (std::vector<double>{10.5, 1000.5, 0.5}));
  EXPECT_EQ(measured_by(options_from(R"({"case": "raw"})"), table, run_that_iterates()),
            (std::vector<double>{11.5, 1001.5, 1.5}))
      << "the largest network first";
}

TEST(PaperRelativeTo, DividesBothSidesByTheCellItNames) {
  const std::string table =
      "algorithm,iterations,metric,value\ndec,2,time,3\ndec,10,time,30\nlbfgs,1000,time,60\nelm,,time,15\ndec,2,test_"
      "rmse,1\n";
  const PaperOptions options = options_from(
      R"({"case": "raw", "nodes": "20", "metric_names": {"time": "total_seconds"},
          "rules": [{"match": {"metric": "time"}, "rule": "relative", "relative_to": {"iterations": 10}}]})");

  const auto comparison = compare_with_paper(options, parse_published(table, "t"), in_runs(run_that_iterates()));
  const auto column = [&](std::size_t j) {
    std::vector<double> values;
    for (const auto& row : comparison.table.rows) values.push_back(std::round(*row[j].value * 1e4) / 1e4);
    return values;
  };

  EXPECT_EQ(column(3), (std::vector<double>{0.1, 1, 2, 0.5, 1}));  // published
  // measured: 2, 10, 1000 and 1 s; the last is not divided
  EXPECT_EQ(column(4), (std::vector<double>{0.2, 1, 100, 0.1, 2.5}));
  EXPECT_EQ(comparison[Verdict::agrees], 1u);
  EXPECT_EQ(comparison[Verdict::disagrees], 3u);
}

TEST(PaperRelativeTo, IsNotAvailableWhereItsBaseIsNot) {
  const PaperOptions options = options_from(
      R"({"case": "raw", "nodes": "{nodes}", "rules": [{"rule": "relative", "relative_to": {"nodes": 7}}]})");

  const auto comparison = compare_with_paper(
      options, parse_published("algorithm,nodes,metric,value\nelm,20,test_rmse,1\nelm,7,test_rmse,1\n", "t"),
      run_that_iterates());

  EXPECT_EQ(comparison[Verdict::not_available], 2u);
}

TEST(PaperBeside, IsMeasuredAtAnotherPointAndNotJudged) {
  std::vector<Record> records = run_that_iterates();
  for (Record record : run_that_iterates()) {
    record.key += "swept";
    record.point["/preprocess/inputs"] = "minus_one_one";
    for (StepRecord& step : record.steps) step.metrics["test_rmse"] *= 3;
    records.push_back(record);
  }
  const PaperOptions options = options_from(
      R"({"case": "raw", "nodes": "{neurons}", "point": {"/preprocess/inputs": "none"},
          "beside": [{"title": "scaled", "point": {"/preprocess/inputs": "minus_one_one"}}],
          "rules": [{"rule": "relative", "tolerance": 1e-9, "exact": true, "relative_to": {"algorithm": "dec", "iterations": 2}}]})");

  const auto comparison = compare_with_paper(options, parse_published(iterating_table(), "t"), records);
  const Table& table = comparison.table;

  EXPECT_EQ(comparison[Verdict::agrees], 4u);
  EXPECT_EQ(table.columns[6].heading, "scaled");
  EXPECT_DOUBLE_EQ(*table.rows[1][5].value, 11.5 / 2.5);
  EXPECT_DOUBLE_EQ(*table.rows[1][6].value, 11.5 / 2.5) << "over its own base";
  EXPECT_EQ(table.rows[0].size(), table.columns.size());
}

TEST(PaperRefuses, WhatMakesNoSense) {
  for (const auto& [paper, place] : std::vector<std::pair<std::string, std::string>>{
           {R"({"case": "raw", "nodes": "many"})", "/paper/nodes"},
           {R"({"case": "raw", "rules": [{"relative_to": {"algorithm": "dec"}}]})", "/paper/rules"},
           {R"({"case": "raw", "rules": [{"relative_to": {"algorithm": "rls"}}]})", "/paper/rules"},
           {R"({"case": "raw", "rules": [{"relative_to": {"algoritm": "dec"}}]})", "/paper/rules"},
           {R"({"case": "raw", "rules": [{"relative_to": "dec"}]})", "/paper/rules"},
           {R"({"beside": [{"title": "a", "chosen": "b"}, {"chosen": "b"}]})", "/paper/beside/1/title"},
           {R"({"beside": [{"title": "a"}, {"title": "a"}]})", "/paper/beside/0/title"},
           {R"({"beside": [{"title": "verdict"}]})", "/paper/beside/0/title"}}) {
    const auto act = [&text = paper] {
      compare_with_paper(options_from(text.c_str()), parse_published(iterating_table(), "t"), run_that_iterates());
    };
    EXPECT_EQ(place_thrown<ConfigError>(act), place) << paper;
  }
}

/// Returns the notes of a table of percentages whose cells have two metrics and two sizes.
std::vector<std::string> notes(const std::string& paper) {
  return paper_notes(options_from(paper.c_str()),
                     parse_published("dataset,nodes,metric,value\nset,3,acc,90\nset,5,acc,91\nset,3,mse,0.1\n", "t"));
}

std::size_t count_of(const std::vector<std::string>& notes, const std::string& part) {
  return static_cast<std::size_t>(
      std::ranges::count_if(notes, [&](const std::string& note) { return note.find(part) != std::string::npos; }));
}

TEST(PaperNotes, StateEachRuleThatJudgesACellOnce) {
  const std::vector<std::string> both = notes(
      R"({"rules": [{"match": {"metric": "acc"}, "rule": "absolute", "tolerance": 0.123},
                    {"match": {"metric": "acc", "nodes": 7}, "rule": "absolute", "tolerance": 0.456},
                    {"rule": "relative", "tolerance": 0.789}]})");

  EXPECT_EQ(both.size(), 2u);
  EXPECT_EQ(count_of(both, "0.123"), 1u);
  EXPECT_EQ(count_of(both, "78.9 %"), 1u);
  EXPECT_EQ(count_of(both, "acc"), 1u) << "the metric that the first is for";
  const std::vector<std::string> first = notes(
      R"({"where": {"metric": "acc"}, "rules": [{"match": {"metric": "acc"}, "rule": "absolute"}, {"rule": "order"}]})");
  EXPECT_EQ(first.size(), 1u);
}

TEST(PaperNotes, TellTheUnitOfPublishedValues) {
  EXPECT_EQ(count_of(notes(R"({"rules": [{"rule": "absolute", "scale": 0.01}]})"), "percent"), 1u);
  EXPECT_EQ(count_of(notes(R"({"rules": [{"rule": "absolute", "scale": 0.001}]})"), "0.001"), 1u);
  EXPECT_EQ(count_of(notes(R"({"rules": [{"rule": "absolute"}]})"), "percent"), 0u);
}

TEST(PaperNotes, HaveEveryDeviationBelowTheTable) {
  const PaperOptions options = options_from(
      R"({"case": "raw", "deviations": {"scale": ["Two of ten runs.", "Few nodes."], "data": "Another copy.", "settings": ["Fitted."]}})");

  const Table table = compare_with_paper(options, parse_published(iterating_table(), "t"), run_that_iterates()).table;

  for (const char* sentence : {"Two of ten runs.", "Few nodes.", "Another copy.", "Fitted."})
    EXPECT_EQ(count_of(table.remarks, sentence), 1u) << sentence;
}

TEST(PaperNotes, EveryShippedTableStatesItsDeviations) {
  std::size_t without = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_dir() / "configs/paper")) {
    if (file.path().extension() != ".json") continue;
    Json config = config_named(file.path().filename().string());
    if (const std::string run = config.value("/paper/run"_json_pointer, ""); !run.empty()) {
      Json below = config_named("runs/" + run + ".json");
      merge(below, config);
      config = below;
    }
    std::size_t sentences = 0;
    for (const bool full : {false, true}) {
      if (full) merge(config, config.value("full", Json::object()));
      const PaperOptions options = options_from(config["paper"].dump().c_str());
      const std::vector<std::string> notes =
          paper_notes(options, read_published(source_dir() / "data/paper", options.published));
      const Json deviations = config["paper"].value("deviations", Json::object());
      for (const auto& [kind, list] : deviations.items()) {
        for (const std::string sentence : list) {
          EXPECT_GE(count_of(notes, sentence), 1u) << file.path();
          ++sentences;
        }
      }
    }
    without += sentences == 0;
  }
  EXPECT_EQ(without, 1u) << "but for the flops of the ELM paper, which are counted as there";
}

}  // namespace
}  // namespace elmx
