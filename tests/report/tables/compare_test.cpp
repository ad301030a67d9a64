#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

/// Five folds of one algorithm whose test_mse is base[fold] + shift.
std::vector<Record> run_with(double shift, double noise, double seconds) {
  std::vector<Record> records;
  for (arma::uword fold = 0; fold < 5; ++fold) {
    const double jitter = noise * (fold % 2 == 0 ? 1 : -1);
    records.push_back(
        one_step_record("c", "alg1", fold, 3, {{"test_mse", static_cast<double>(fold) + shift + jitter}}));
    records.back().steps[0].step = {seconds, 0.1 * seconds, 10};
  }
  return records;
}

CompareOptions by_test(const std::string& test) {
  CompareOptions options;
  options.test = test;
  return options;
}

/// A run whose trials were split into five folds.
Frame five_folds(const std::vector<Record>& records) {
  RunDescription run;
  for (const char* name : {"", "c"})
    run.resolved.push_back({{"case", name}, {"options", {{"split", {{"kind", "k_fold"}, {"folds", 5}}}}}});
  return {records, run};
}

std::string decision(const std::vector<Record>& a, const std::vector<Record>& b, const std::string& test = "t") {
  return compare_records(five_folds(a), five_folds(b), by_test(test)).at(0).rows.at(0).back().text;
}

TEST(Compare, ThePairedTestSeesThroughTheSpreadOfTheFolds) {
  EXPECT_EQ(decision(run_with(0, 0, 1), run_with(-0.1, 0.01, 1)), "lower");
  EXPECT_EQ(decision(run_with(0, 0, 1), run_with(0.1, 0.01, 1)), "higher");
  EXPECT_EQ(decision(run_with(0, 0, 1), run_with(0.1, 0.5, 1)), "not significant");
  EXPECT_EQ(decision(run_with(0, 0, 1), run_with(0, 0, 1)), "same");
}

TEST(Compare, SaysHowManyPairsOfTimesItLeavesOut) {
  std::vector<Record> records = run_with(0, 0, 1);
  for (const Record& other : run_with(0.1, 0.01, 2)) {
    records.push_back(other);
    records.back().algorithm = "alg2";
  }
  for (Record& record : records) record.machine = "quick, 1 thread";
  const auto remarks = [&] {
    return compare_by(records, condition_of("algorithm", "--by"), by_test("t")).back().remarks;
  };
  for (const std::string& remark : remarks()) EXPECT_EQ(remark.find("left out"), std::string::npos) << remark;

  records[1].machine = "slow, 1 thread";
  const std::vector<std::string> said = remarks();
  EXPECT_TRUE(std::ranges::any_of(
      said, [](const std::string& remark) { return remark.find("1 trial left out") != std::string::npos; }));
}

// The runs were made apart: the ratio stands, and a line says that it may be one of machines.
TEST(Compare, SaysWhereTimesAreOfDifferentMachines) {
  std::vector<Record> a = run_with(0, 0, 1), b = run_with(0.1, 0.01, 2);
  const auto said = [&] {
    const std::vector<std::string> remarks = compare_records(a, b).back().remarks;
    return std::ranges::any_of(remarks, [](const std::string& remark) {
      return remark.starts_with("The times of 5 pairs were measured on different machines");
    });
  };
  for (Record& record : a) record.machine = "quick, 1 thread";
  for (Record& record : b) record.machine = "quick, 1 thread";
  EXPECT_FALSE(said());
  for (Record& record : b) record.machine = "slow, 64 threads";
  EXPECT_TRUE(said());
}

TEST(Compare, DifferencesThatAreAllAlikeHaveNoInterval) {
  const Table table = compare_records(run_with(0, 0, 1), run_with(0.0625, 0, 1), by_test("t")).at(0);
  for (const char* side : {"low", "high"}) {
    const auto at = std::ranges::find(table.columns, side, &Column::name) - table.columns.begin();
    EXPECT_FALSE(table.rows.at(0)[static_cast<std::size_t>(at)].value.has_value() &&
                 !std::isnan(*table.rows[0][static_cast<std::size_t>(at)].value));
  }
}

// Five pairs: the sign of all of them is by chance alike once in 16 times. Nothing that they say can be
// significant.
TEST(Compare, FiveFoldsAreTooFewForWilcoxonAndItSaysSo) {
  const Table table = compare_records(run_with(0, 0, 1), run_with(-0.1, 0.01, 1)).at(0);

  EXPECT_EQ(table.rows.at(0).back().text, "cannot decide");
  EXPECT_EQ(*table.rows.at(0)[table.columns.size() - 2].value, 0.0625);
  EXPECT_EQ(table.footnotes.at(table.rows[0].back().note - 1),
            "Of 5 differences other than 0 the least p that Wilcoxon's signed-rank test can give is 0.0625; p <= 0.05 "
            "needs at least 6 of them");
}

// Differences 0.3, -0.1, 0.3, -0.1, 0.3 and their like: t = mean / (sd sqrt(1 / 5 + 1 / 4)) in place of mean
// / (sd sqrt(1 / 5)).
TEST(Compare, TheCorrectedTestAsksForMoreThanTheTTest) {
  const auto a = run_with(0, 0, 1);
  const auto b = run_with(0.1, 0.07, 1);  // 0.17, 0.03, ...: t = 3.34 and 2.22, bound 2.776

  EXPECT_EQ(decision(a, b, "t"), "higher");
  EXPECT_EQ(decision(a, b, "corrected_t"), "not significant");
  const auto low = [&](const std::string& test) {
    const Table table = compare_records(five_folds(a), five_folds(b), by_test(test)).at(0);
    return *table.rows[0][table.columns.size() - 4].value;
  };
  const double mean = 0.114, sd = std::sqrt((3 * 0.056 * 0.056 + 2 * 0.084 * 0.084) / 4);
  EXPECT_NEAR(low("t"), mean - 2.77644511 * sd * std::sqrt(0.2), 1e-6);
  EXPECT_NEAR(low("corrected_t"), mean - 2.77644511 * sd * std::sqrt(0.45), 1e-6);
}

// A fifth of 9 samples is 2 of them: 2 / 7, not 1 / 4. A trial that recorded no number has the ratio of the
// fraction.
TEST(Compare, TheCorrectedTestCountsTheSamplesOfAHoldout) {
  const auto half_width = [](arma::uword tested) {
    RunDescription run;
    for (const char* name : {"", "c"})
      run.resolved.push_back({{"case", name}, {"options", {{"split", {{"kind", "holdout"}, {"test_fraction", 0.2}}}}}});
    std::vector<Record> a = run_with(0, 0, 1), b = run_with(0.1, 0.07, 1);
    run.samples[a.front().dataset] = 9;
    for (std::vector<Record>* records : {&a, &b}) {
      for (Record& record : *records) record.test_part.samples = tested;
    }
    const Table table = compare_records({a, run}, {b, run}, by_test("corrected_t")).at(0);
    const std::size_t low = table.columns.size() - 4;
    return (*table.rows[0][low + 1].value - *table.rows[0][low].value) / 2;
  };
  const double sd = std::sqrt((3 * 0.056 * 0.056 + 2 * 0.084 * 0.084) / 4);
  EXPECT_NEAR(half_width(2), 2.77644511 * sd * std::sqrt(0.2 + 2.0 / 7), 1e-6);
  EXPECT_NEAR(half_width(0), 2.77644511 * sd * std::sqrt(0.45), 1e-6);
}

TEST(Compare, RoundingIsNoDifference) { EXPECT_EQ(decision(run_with(1, 0, 1), run_with(1 + 1e-12, 1e-13, 1)), "same"); }

// Right answers on ten folds of wine: several differences are the same fraction, but not the same double. p
// by all signs: 31/512.
TEST(Compare, DifferencesThatAreTheSameFractionAreTies) {
  const double of_a[] = {33, 33, 34, 33, 33, 33, 35, 31, 33, 35}, of_b[] = {32, 30, 35, 31, 32, 31, 33, 32, 34, 29};
  std::vector<Record> a, b;
  for (arma::uword fold = 0; fold < 10; ++fold) {
    const double samples = fold % 5 < 3 ? 36 : 35;
    a.push_back(one_step_record("", "panel", fold, 3, {{"test_acc", of_a[fold] / samples}}));
    b.push_back(one_step_record("", "panel", fold, 3, {{"test_acc", of_b[fold] / samples}}));
  }
  const Table table = compare_records(a, b).at(0);

  EXPECT_DOUBLE_EQ(*table.rows[0][table.columns.size() - 2].value, 31.0 / 512);
  EXPECT_EQ(table.rows[0].back().text, "not significant");
}

TEST(Compare, MetricsOfTheTestPartUnlessOthersAreAskedFor) {
  std::vector<Record> a = run_with(0, 0, 1);
  for (Record& record : a) record.steps[0].metrics.insert({{"train_mse", 1}, {"weight_error", 1e-9}, {"own", 2}});
  const auto metrics = [&](const std::vector<std::string>& asked) {
    CompareOptions options;
    options.metrics = asked;
    const Table table = compare_records(a, a, options).at(0);
    std::vector<std::string> names;
    for (const auto& row : table.rows) names.push_back(row[table.columns.size() - 9].text);
    return names;
  };

  EXPECT_EQ(metrics({}), (std::vector<std::string>{"test_mse"}));
  EXPECT_EQ(metrics({"own", "weight_error"}), (std::vector<std::string>{"own", "weight_error"}));
  EXPECT_EQ(metrics({"all"}), (std::vector<std::string>{"weight_error", "test_mse", "train_mse", "own"}));
  EXPECT_THROW(metrics({"test_acc"}), ConfigError);
}

/// alg1 and alg2 of one run over `sets` data sets and six folds; alg2's error is higher by `more` times the
/// fold.
std::vector<Record> two_algorithms(int sets, double more) {
  std::vector<Record> records;
  for (int set = 0; set < sets; ++set) {
    for (arma::uword fold = 0; fold < 6; ++fold) {
      for (const bool second : {false, true}) {
        records.push_back(
            one_step_record("", second ? "alg2" : "alg1", fold, 3,
                            {{"test_mse", 1 + set + (second ? more * (1.0 + static_cast<double>(fold)) : 0)}}));
        records.back().dataset = "set" + std::to_string(set);
      }
    }
  }
  return records;
}

TEST(CompareBy, TheValuesOfAFieldArePairedWithinOneRun) {
  const std::vector<Table> tables = compare_by(two_algorithms(1, 0.1), condition_of("algorithm", "--by"));

  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].title, "B against A (algorithm alg1), paired: Wilcoxon's signed-rank test");
  ASSERT_EQ(tables[0].rows.size(), 1u);
  EXPECT_EQ(tables[0].rows[0].back().text, "higher");
  EXPECT_EQ(tables[0].remarks.at(0), "6 pairs of steps; without a partner: 0 of alg1, 0 of alg2");
  EXPECT_EQ(compare_by(two_algorithms(1, 0.1), condition_of("algorithm=alg2,alg1", "--by"))[0].rows[0].back().text,
            "lower");
}

TEST(CompareBy, WhatCannotBeSidesIsRefused) {
  EXPECT_THROW(compare_by(two_algorithms(1, 1), condition_of("dataset", "--by")), ConfigError);
  EXPECT_THROW(compare_by(two_algorithms(1, 1), condition_of("fold", "--by")), ConfigError);
  EXPECT_THROW(compare_by(two_algorithms(1, 1), condition_of("nodes", "--by")), ConfigError);
  EXPECT_THROW(compare_by(two_algorithms(1, 1), condition_of("algorithm=alg1", "--by")), ConfigError);
  EXPECT_THROW(compare_by(two_algorithms(1, 1), condition_of("algorithm=alg1,alg1", "--by")), ConfigError);
  EXPECT_THROW(compare_by(two_algorithms(1, 1), condition_of("algorithm=alg1,alg7", "--by")), ConfigError);
}

// elm has points of gamma, s3elm of mu and a choice in each fold: the choices are compared, whatever was
// chosen.
TEST(CompareBy, ChoicesOfAlgorithmsAreComparedThoughTheirGridsDiffer) {
  CompareOptions options;
  options.where = predicate_of({"chosen=best on the test part"});

  const Table table = compare_by(grid_run(), condition_of("algorithm", "--by"), options).at(0);

  ASSERT_EQ(table.rows.size(), 1u);  // elm at gamma = 16, s3elm at mu = 10
  EXPECT_EQ(*table.rows[0][table.columns.size() - 7].value, 0.3125);
  EXPECT_EQ(*table.rows[0][table.columns.size() - 6].value, 0.625);
}

TEST(Compare, DifferencesThatAreAllAlikeAreNotJudgedByTheTTest) {
  const Table table = compare_records(run_with(0, 0, 1), run_with(0.25, 0, 1), by_test("t")).at(0);

  EXPECT_EQ(table.rows.at(0).back().text, "cannot decide");
  EXPECT_EQ(table.footnotes.at(table.rows[0].back().note - 1),
            "The differences are all alike: the paired t-test has no spread to judge them by");
}

TEST(Compare, OnePairCannotDecide) {
  EXPECT_EQ(decision({run_with(0, 0, 1)[0]}, {run_with(0.1, 0, 1)[0]}), "cannot decide");
}

TEST(Compare, AMetricThatOneSideLacksIsNA) {
  auto b = run_with(0, 0, 1);
  for (Record& record : b) record.steps[0].metrics.clear();

  EXPECT_EQ(decision(run_with(0, 0, 1), b), "NA");
}

TEST(Compare, MeanDifferenceSdAndIntervalByHand) {
  // Differences 0.3, -0.1, 0.3, -0.1, 0.3: mean 0.14, sd sqrt(0.192 / 4).
  const Table table = compare_records(run_with(0, 0, 1), run_with(0.1, 0.2, 1)).at(0);
  const auto& row = table.rows.at(0);

  const std::size_t difference = row.size() - 5;
  EXPECT_NEAR(*row[difference].value, 0.14, 1e-12);
  EXPECT_NEAR(*row[difference].sd, std::sqrt(0.192 / 4), 1e-12);
  EXPECT_NEAR(*row[difference + 1].value, 0.14 - 2.77644511 * std::sqrt(0.192 / 20), 1e-7);
}

TEST(Compare, PairsDoNotDependOnTheOrderOfTheLines) {
  const auto a = run_with(0, 0, 1);
  const auto b = run_with(0.1, 0.2, 2);

  EXPECT_EQ(to_markdown(compare_records(shuffled(a, 1), shuffled(b, 2)).at(0)),
            to_markdown(compare_records(a, b).at(0)));
}

TEST(Compare, TimeIsTheRatioOfBToA) {
  std::vector<Record> b = run_with(0, 0, 2);
  b.front().steps[0].step.mean *= 1.1;
  const double mean = 2 * std::pow(1.1, 1.0 / static_cast<double>(b.size()));
  const Table times = compare_records(run_with(0, 0, 1), b).at(1);
  const auto& row = times.rows.at(0);

  EXPECT_NEAR(*row[row.size() - 6].value, mean, 1e-14);
  EXPECT_LT(*row[row.size() - 5].value, mean);
  EXPECT_GT(*row[row.size() - 4].value, mean);
}

TEST(Compare, OfTwoRunsTheRoundsDoNotBelongTogether) {
  Record a = one_step_record("", "alg1", 0, 3, {{"test_mse", 1}}), b = a;
  a.steps[0].step.rounds = {1, 1, 1, 1, 1.1};
  b.steps[0].step.rounds = {2, 2, 2.1, 2, 2};
  const Table times = compare_records(std::vector{a}, std::vector{b}).at(1);
  const auto& row = times.rows.at(0);

  EXPECT_DOUBLE_EQ(*row[row.size() - 6].value, 2);
  EXPECT_FALSE(row[row.size() - 5].value) << "one trial of two runs";
  EXPECT_NE(times.remarks.at(0).find("not measured in turn"), std::string::npos);
}

TEST(Compare, StepsWithoutAPartnerAreCounted) {
  auto b = run_with(0.1, 0.01, 1);
  b.pop_back();
  b.push_back(one_step_record("other", "alg1", 0, 3, {}));

  const Table table = compare_records(run_with(0, 0, 1), b).at(0);

  EXPECT_EQ(table.remarks.at(0), "4 pairs of steps; without a partner: 1 of A, 1 of B");
}

TEST(Compare, MomentsOfATrainingArePairedByTheirIterations) {
  std::vector<Record> b = iterating_run();
  for (Record& record : b) {
    for (StepRecord& step : record.steps) step.metrics["test_rmse"] += static_cast<double>(step.iterations);
    record.steps.resize(1);
  }

  const Table table = compare_records(iterating_run(), b).at(0);

  ASSERT_EQ(table.rows.size(), 3u);
  const auto difference = [&](std::size_t row) { return *table.rows[row][table.columns.size() - 5].value; };
  EXPECT_EQ(difference(0), 2);    // dec
  EXPECT_EQ(difference(1), 0);    // elm
  EXPECT_EQ(difference(2), 500);  // lbfgs
  EXPECT_EQ(table.remarks.at(0), "6 pairs of steps; without a partner: 4 of A, 0 of B");
}

TEST(Compare, GridPointsArePairedByTheirParametersAndChoicesByTheirKind) {
  std::vector<Record> b = grid_run();
  for (Record& record : b) {
    std::reverse(record.steps.begin(), record.steps.end());
    for (StepRecord& step : record.steps) {
      step.metrics["test_acc"] += step.chosen.empty() ? step.parameters["mu"] : -1;
      if (step.parameters.count("gamma") > 0) step.parameters["gamma"] *= 4;  // 4, 16 -> 16, 64
      if (record.algorithm != "s3elm") step.parameters.erase("mu");
    }
  }

  const Table table = compare_records(grid_run(), b).at(0);

  // elm at gamma = 16: mean 0.25 in B, 0.3125 in A; op-elm; s3elm at mu = 10, 1 and 0.1; its choices.
  const std::vector<double> differences = {-0.0625, 0, 10, 1, 0.1, -1};
  ASSERT_EQ(table.rows.size(), differences.size());
  for (std::size_t i = 0; i < differences.size(); ++i) {
    EXPECT_NEAR(*table.rows[i][table.columns.size() - 5].value, differences[i], 1e-15) << i;
  }
  EXPECT_EQ(table.remarks.at(0), "12 pairs of steps; without a partner: 2 of A, 2 of B");
}

}  // namespace
}  // namespace elmx
