#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "report/formats/table_formats.hpp"
#include "report/formats/tex.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// Two algorithms at two ridge parameters over three folds: test_acc = fold / 8 + 1/2 for alg2 at ridge 0.1,
/// a quarter more at 1, and an eighth less for alg10; train_mse = ridge.
std::vector<Record> swept_run() {
  std::vector<Record> records;
  for (const std::string algorithm : {"alg10", "alg2"}) {
    for (const double ridge : {1.0, 0.1}) {
      for (const arma::uword fold : {0u, 1u, 2u}) {
        const double acc =
            0.5 + static_cast<double>(fold) / 8 + (ridge == 1 ? 0.25 : 0) - (algorithm == "alg10" ? 0.125 : 0);
        records.push_back(
            one_step_record("", algorithm, fold, 20, {{"test_acc", acc}, {"train_mse", ridge}, {"own", acc}}));
        records.back().point = {{"/model/ridge", ridge}};
        records.back().key += std::to_string(ridge);
      }
    }
  }
  return records;
}

PivotOptions by(const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                const std::string& metric = "test_acc") {
  PivotOptions options;
  options.rows = rows;
  options.columns = columns;
  options.metrics = {metric};
  return options;
}

std::vector<std::string> headings(const Table& table) {
  std::vector<std::string> all;
  for (const Column& column : table.columns) all.push_back(column.heading);
  return all;
}

TEST(Pivot, RowsAndColumnsAreTheValuesInNaturalOrder) {
  EXPECT_EQ(to_markdown(pivot_table(swept_run(), by({"ridge"}, {"algorithm"}))),
            R"(### test ACC (mean ± sd) by ridge, algorithm

| ridge |            alg2 |           alg10 |
|------:|----------------:|----------------:|
|   0.1 | 0.6250 ± 0.1250 | 0.5000 ± 0.1250 |
|     1 | 0.8750 ± 0.1250 | 0.7500 ± 0.1250 |
)");
  for (unsigned seed = 1; seed <= 3; ++seed)
    EXPECT_EQ(to_csv(pivot_table(shuffled(swept_run(), seed), by({"ridge"}, {"algorithm"}))),
              to_csv(pivot_table(swept_run(), by({"ridge"}, {"algorithm"}))));
  const Frame ordered(swept_run(), {.order = {{}, {"alg10"}}});
  EXPECT_EQ(headings(pivot_table(ordered, by({"ridge"}, {"algorithm"})))[1], "alg10");
}

TEST(Pivot, SeveralFieldsMetricsAndStatisticsMakeMultiPartHeadings) {
  PivotOptions options = by({"fold"}, {"algorithm", "/model/ridge"});
  options.metrics = {"test_acc", "train_mse"};
  options.statistics = {"mean", "count"};

  const Table table = pivot_table(swept_run(), options);

  ASSERT_EQ(table.columns.size(), 1u + 2 * 2 * 2 * 2);
  EXPECT_EQ(table.columns[1].heading, "alg2, ridge 0.1, test ACC, mean");
  EXPECT_EQ(table.columns[1].name, "alg2/0.1/test_acc/mean");
  EXPECT_EQ(table.columns[16].heading, "alg10, ridge 1, train MSE, count");
  EXPECT_EQ(*table.rows.at(2)[1].value, 0.75);
  EXPECT_EQ(*table.rows[2][16].value, 1);
}

TEST(Pivot, EveryStatisticByHand) {
  const std::vector<Record> records = {
      one_step_record("", "a", 0, 1, {{"test_mse", 4}}), one_step_record("", "a", 1, 1, {{"test_mse", 1}}),
      one_step_record("", "a", 2, 1, {{"test_mse", 2}}), one_step_record("", "a", 3, 1, {{"test_mse", 9}})};
  const std::vector<std::pair<std::string, double>> expected = {
      {"mean_sd", 4}, {"mean", 4},   {"sd", std::sqrt(38.0 / 3)},
      {"median", 3},  {"min", 1},    {"max", 9},
      {"q25", 1.75},  {"q75", 5.25}, {"iqr", 3.5},
      {"sum", 16},    {"count", 4},  {"best", 1}};
  for (const auto& [name, value] : expected) {
    PivotOptions options = by({}, {"algorithm"}, "test_mse");
    options.statistics = {name};
    EXPECT_NEAR(*pivot_table(records, options).rows.at(0).at(0).value, value, 1e-14) << name;
  }
  PivotOptions highest = by({}, {}, "test_acc");
  highest.statistics = {"best"};
  EXPECT_EQ(*pivot_table(swept_run(), highest).rows.at(0).at(0).value, 1);
}

TEST(Pivot, WhatACellTakesTogetherIsSaid) {
  const Table table = pivot_table(swept_run(), by({"algorithm"}, {}));

  EXPECT_EQ(*table.rows.at(0)[1].value, 0.75);
  EXPECT_EQ(table.remarks, std::vector<std::string>{"A cell takes together all values of ridge (0.1, 1)."});
}

TEST(Pivot, ParametersStandInTheOrderOfTheTables) {
  const std::vector<Record> records = {
      grid_record("a", 0, {{{{"m10", 1}, {"m2", 1}}, 0.5}, {{{"m10", 2}, {"m2", 2}}, 0.5}})};

  EXPECT_EQ(pivot_table(records, by({"algorithm"}, {})).remarks,
            std::vector<std::string>{"A cell takes together all values of m2 (1, 2), m10 (1, 2)."});
}

TEST(Pivot, ConditionsLeaveOutRecords) {
  PivotOptions options = by({"algorithm"}, {"ridge"});
  options.where = predicate_of({"algorithm=alg2", "ridge=1e0,0.1", "fold=1,2"});

  const Table table = pivot_table(swept_run(), options);

  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(*table.rows[0][1].value, 0.6875);
  EXPECT_EQ(*table.rows[0][2].value, 0.9375);
}

TEST(Pivot, FailedTrialsAreFootnotesAndWhatIsNotThereIsNA) {
  const Table table = pivot_table(small_run(), by({"algorithm"}, {"nodes"}, "test_mse"));

  EXPECT_EQ(table.rows.at(0).at(2).note, 1u);  // alg2 at 100 nodes
  EXPECT_EQ(table.footnotes.at(0), "1 of 2 trials failed (not_positive_definite); the numbers are of the others");
  PivotOptions status = by({"algorithm", "status"}, {"fold"}, "test_mse");
  status.where = predicate_of({"nodes=100", "algorithm=alg2"});
  EXPECT_EQ(to_csv(pivot_table(small_run(), status)),
            "algorithm,status,0/test_mse,1/test_mse,note\n"
            "alg2,not_positive_definite,NA,NA,1 of 1 trial failed (not_positive_definite)\n"
            "alg2,ok,0.01,NA,\n");
}

TEST(Pivot, TheBestOfARowIsBoldAndSoIsWhatLooksTheSame) {
  PivotOptions options = by({"ridge"}, {"algorithm"});
  options.best = BestBy::row;
  options.statistics = {"mean"};
  std::vector<Record> records = swept_run();
  records[3].steps[0].metrics["test_acc"] += 0.375 + 1e-6;  // alg10, ridge 0.1: now level with alg2
  const std::string text = to_markdown(pivot_table(records, options));

  EXPECT_NE(text.find("|   0.1 | **0.6250** | **0.6250** |"), std::string::npos) << text;
  EXPECT_NE(text.find("|     1 | **0.8750** |     0.7500 |"), std::string::npos) << text;
  options.metrics = {"train_mse"};
  options.rows = {"algorithm"};
  options.columns = {"ridge"};
  EXPECT_NE(to_tex(pivot_table(records, options)).find("alg2 & $\\mathbf{0.1000}$ & $1.000$"), std::string::npos);
}

// mu = 10, 1, 0.1 over two folds have the mean 3.5 / 6; the choices are copies and change nothing.
TEST(Pivot, NoStepOfAGridIsCountedTwice) {
  PivotOptions options = by({"algorithm"}, {});
  options.statistics = {"mean", "count"};
  const Table table = pivot_table(grid_run(), options);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_NEAR(*table.rows[2][1].value, 3.5 / 6, 1e-15);
  EXPECT_EQ(*table.rows[2][2].value, 6);

  options.columns = {"chosen"};
  const Table chosen = pivot_table(grid_run(), options);
  EXPECT_EQ(headings(chosen),
            (std::vector<std::string>{"algorithm", "best on the test part, mean", "best on the test part, count",
                                      "cross validation, mean", "cross validation, count", "grid point, mean",
                                      "grid point, count", "-, mean", "-, count"}));
  EXPECT_EQ(*chosen.rows[2][1].value, 0.625);
  EXPECT_EQ(*chosen.rows[2][6].value, 6);

  options.columns = {};
  options.where = predicate_of({"chosen=cross validation,best on the test part"});
  EXPECT_THROW(pivot_table(grid_run(), options), ConfigError);
  options.where = predicate_of({"chosen=cross validation,-"});
  EXPECT_EQ(pivot_table(grid_run(), options).rows.size(), 2u);  // op-elm has no grid
}

TEST(Pivot, NoNumberIsACountOfNone) {
  std::vector<Record> records = swept_run();
  for (Record& record : records) {
    if (record.algorithm == "alg2") record.steps[0].status = Status::not_positive_definite;
  }
  PivotOptions options = by({}, {"algorithm"});
  options.statistics = {"count"};
  EXPECT_EQ(*pivot_table(records, options).rows.at(0)[0].value, 0);
}

TEST(Pivot, BestNeedsColumns) {
  PivotOptions options = by({"algorithm"}, {});
  options.best = BestBy::row;
  EXPECT_EQ(place_thrown<ConfigError>([&] { pivot_table(swept_run(), options); }), "--best");
}

TEST(Pivot, MetricsAndStatisticsAreLevelsLikeFields) {
  PivotOptions options = by({"ridge", "stat"}, {"metric", "algorithm"});
  options.metrics = {"test_acc", "train_mse"};
  options.statistics = {"mean", "sd"};

  const Table table = pivot_table(swept_run(), options);

  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(headings(table), (std::vector<std::string>{"ridge", "stat", "test ACC, alg2", "test ACC, alg10",
                                                       "train MSE, alg2", "train MSE, alg10"}));
  EXPECT_EQ(*table.rows[0][2].value, 0.625);
  EXPECT_EQ(*table.rows[1][2].value, 0.125) << "the deviation of 0.5, 0.625 and 0.75";
  EXPECT_EQ(*table.rows[2][5].value, 1);
  const auto lines = heading_lines(table, {0, 1, 2, 3, 4, 5});
  ASSERT_EQ(lines.size(), 2u);
  ASSERT_EQ(lines[0].size(), 3u);
  EXPECT_EQ(lines[0][1].end - lines[0][1].first, 2u);
}

TEST(Pivot, PartsGroupTheMetricsOfEach) {
  PivotOptions options = by({}, {"part", "metric"});
  options.metrics = {"test_acc", "train_acc", "train_mse"};
  std::vector<Record> records = swept_run();
  for (Record& record : records) record.steps[0].metrics["train_acc"] = 0.25;

  const Table table = pivot_table(records, options);

  EXPECT_EQ(headings(table), (std::vector<std::string>{"test, ACC", "train, ACC", "train, MSE"}));
  EXPECT_EQ(*table.rows.at(0)[1].value, 0.25);
}

TEST(Pivot, AMetricIsShownForSomeValuesAlone) {
  PivotOptions options = by({"ridge"}, {"metric", "algorithm"});
  options.metrics = {"test_acc", "train_mse"};
  options.only = {{"train_mse", {"alg10"}}};

  EXPECT_EQ(headings(pivot_table(swept_run(), options)),
            (std::vector<std::string>{"ridge", "test ACC, alg2", "test ACC, alg10", "train MSE, alg10"}));
  options.only = {{"train_mse", {"alg11"}}};
  EXPECT_THROW(pivot_table(swept_run(), options), ConfigError);
  options.only = {{"train_mae", {"alg10"}}};
  EXPECT_THROW(pivot_table(swept_run(), options), ConfigError);
}

TEST(Pivot, PercentIsShownAndNotStored) {
  PivotOptions options = by({"ridge"}, {"algorithm"});
  options.percent = {"test_acc"};

  const Table table = pivot_table(swept_run(), options);

  EXPECT_EQ(plain_text(table.rows.at(0)[1]), "62.50 ± 12.50");
  EXPECT_EQ(*table.rows[0][1].value, 0.625);
  options.percent = {"test_ac"};
  EXPECT_THROW(pivot_table(swept_run(), options), ConfigError);
}

TEST(Pivot, TheBestOfAColumnIsThatOfItsDataSet) {
  std::vector<Record> records = swept_run();
  for (Record& record : swept_run()) {
    record.dataset = "other";
    record.key += "other";
    record.steps[0].metrics["test_acc"] /= 2;
    records.push_back(record);
  }
  PivotOptions options = by({"dataset", "algorithm"}, {"ridge"});
  options.best = BestBy::column;

  const Table table = pivot_table(records, options);

  ASSERT_EQ(table.rows.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    for (const std::size_t j : {2, 3})
      EXPECT_EQ(table.rows[i][j].best, table.rows[i][1].text == "alg2") << i << ", " << j;
  }
}

TEST(Pivot, SpeedUpsAreOverEachReference) {
  PivotOptions options = by({"nodes"}, {"metric", "algorithm"}, "step_speedup");
  options.references = {"existing", "alg2"};
  options.only = {{"step_speedup", {"alg2"}}};

  const Table table = pivot_table(small_run(), options);

  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_NEAR(*table.rows.at(0)[1].value, 4, 1e-12);
  EXPECT_NEAR(*table.rows[0][2].value, 1, 1e-12) << "over itself";
}

TEST(Pivot, TimesAreQuantitiesToo) {
  const Table table = pivot_table(small_run(), by({"algorithm"}, {"nodes"}, "step_seconds"));

  EXPECT_EQ(table.title, "step (s) (mean ± sd) by algorithm, nodes");
  EXPECT_EQ(*table.rows.at(2).at(1).value, 8e-3);
}

TEST(Pivot, WhatIsNotThereComesWithTheNearest) {
  const auto refuses = [](const PivotOptions& options, const std::string& place, const std::string& name) {
    const auto act = [&] { pivot_table(swept_run(), options); };
    EXPECT_EQ(place_thrown<ConfigError>(act), place);
    EXPECT_NE(thrown<ConfigError>(act).find(name), std::string::npos) << thrown<ConfigError>(act);
  };
  refuses(by({"ridgee"}, {}), "--rows ridgee", "\"ridge\"");
  refuses(by({}, {"fold", "fold"}), "--rows, --cols", "\"fold\"");
  refuses(by({}, {}, "test_ac"), "--metric test_ac", "\"test_acc\"");
  PivotOptions where = by({}, {});
  where.where = predicate_of({"algorithm=alg3"});
  refuses(where, "--where algorithm=alg3", "\"alg2\"");
  EXPECT_THROW(predicate_of({"ridge"}), ConfigError);
  EXPECT_THROW(predicate_of({"ridge="}), ConfigError);
  PivotOptions best = by({}, {"algorithm"}, "own");
  best.best = BestBy::row;
  refuses(best, "--best", "--stat");
  best = by({}, {});
  best.statistics = {"meann"};
  refuses(best, "--stat meann", "\"mean\"");
}

}  // namespace
}  // namespace elmx
