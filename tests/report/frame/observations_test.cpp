#include <gtest/gtest.h>

#include <cmath>

#include "report/frame/row_keys.hpp"
#include "report/tables/tables.hpp"
#include "statistics/hypothesis_tests.hpp"
#include "support/records.hpp"

// Repeats that draw nothing anew are no further observations: in means, deviations, tests and counts of
// pairs.

namespace elmx {
namespace {

/// `repeats` repeats of four folds, the same samples in each repeat. The errors of `algorithm` do not depend
/// on the repeat unless it is random.
std::vector<Record> repeated_run(const std::string& algorithm, arma::uword repeats, double error, bool random = false) {
  std::vector<Record> records;
  for (arma::uword repeat = 0; repeat < repeats; ++repeat) {
    for (arma::uword fold = 0; fold < 4; ++fold) {
      const double noise = random ? 1e-3 * std::sin(static_cast<double>(7 * repeat + fold)) : 0;
      Record record = one_step_record(
          "", algorithm, fold, 10,
          {{"test_rmse", error * (1 + 0.1 * static_cast<double>(fold * fold)) + noise}, {"train_rmse", error + noise}});
      record.repeat = repeat;
      record.key += std::to_string(repeat);
      const std::string samples = std::to_string(fold);
      record.samples = {"content", "train " + samples, "test " + samples};
      records.push_back(record);
    }
  }
  return records;
}

std::vector<Record> both(std::vector<Record> a, const std::vector<Record>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

CompareOptions by_t_test() {
  CompareOptions options;
  options.test = "t";
  options.metrics = {"test_rmse"};
  return options;
}

PivotOptions pivot_of(const std::vector<std::string>& rows, const std::string& statistic) {
  PivotOptions options;
  options.rows = rows;
  options.metrics = {"test_rmse"};
  options.statistics = {statistic};
  return options;
}

double value_in(const Table& table, const std::string& column) {
  const auto at = std::ranges::find(table.columns, column, &Column::name) - table.columns.begin();
  return table.rows.at(0).at(static_cast<std::size_t>(at)).value.value_or(NAN);
}

TEST(Observations, OneRepeatAndTenThatAreTheSameHaveTheSameStatistics) {
  const std::vector<Record> once = repeated_run("standard", 1, 0.5), often = repeated_run("standard", 10, 0.5);
  const std::vector<RecordRow> a = group_records(once), b = group_records(often);

  ASSERT_EQ(b[0].steps.size(), 40u);
  EXPECT_EQ(summary_of(b[0], "test_rmse").n, 4u);
  EXPECT_DOUBLE_EQ(summary_of(b[0], "test_rmse").sd, summary_of(a[0], "test_rmse").sd);
  EXPECT_EQ(summary_of(b[0], "total_seconds").n, 40u) << "every time was measured";
  EXPECT_EQ(repeated_text(a), "");
  EXPECT_NE(repeated_text(b), "");
}

TEST(Observations, ATestSeesTheFoldsOfOneRepeat) {
  const auto tables_of = [](arma::uword repeats) {
    return compare_by(both(repeated_run("panel", repeats, 0.5), repeated_run("standard", repeats, 0.51)),
                      {"algorithm", {}}, by_t_test());
  };

  const Table once = tables_of(1)[0], often = tables_of(10)[0];

  EXPECT_EQ(value_in(often, "pairs"), 4);
  EXPECT_EQ(value_in(often, "p"), value_in(once, "p"));
}

TEST(Observations, OneSideThatDrawsAnewMakesEachPairAnObservation) {
  const Table table = compare_by(both(repeated_run("panel", 10, 0.5, true), repeated_run("standard", 10, 0.51)),
                                 {"algorithm", {}}, by_t_test())[0];

  EXPECT_EQ(value_in(table, "pairs"), 40);
}

TEST(Observations, OtherSamplesOrOtherMetricsAreOtherObservations) {
  std::vector<Record> samples = repeated_run("standard", 2, 0.5), metrics = samples, unknown = samples;
  for (Record& record : samples) record.samples.train += std::to_string(record.repeat);
  for (Record& record : metrics) record.steps[0].metrics["train_rmse"] += 1e-3 * static_cast<double>(record.repeat);
  for (Record& record : unknown) record.samples = {};

  for (const std::vector<Record>& records : {samples, metrics, unknown})
    EXPECT_EQ(summary_of(group_records(records)[0], "test_rmse").n, 8u);
}

TEST(Observations, OtherPointsAndSizesAreOtherObservationsButOtherSeedsAreNot) {
  std::vector<Record> records = repeated_run("standard", 1, 0.5), ridges = records, seeds = records;
  for (Record& record : ridges) record.point["/model/ridge"] = 1e-12;
  for (Record& record : seeds) record.point["/seed"] = 7;
  const auto count = [&](const std::vector<Record>& more) {
    return value_in(pivot_table(both(records, more), pivot_of({}, "count")), "test_rmse");
  };

  EXPECT_EQ(count(ridges), 8) << "two models, whose errors happen to be equal";
  EXPECT_EQ(count(seeds), 4) << "nothing is drawn";
}

TEST(Observations, ATrainingWithRandomNumbersIsAlwaysOneOfItsOwn) {
  std::vector<Record> records = repeated_run("panel", 2, 0.5);
  for (Record& record : records) record.family = "elm";

  EXPECT_EQ(summary_of(group_records(records)[0], "test_rmse").n, 8u);
  for (Record& record : records) record.family = "linear";
  EXPECT_EQ(summary_of(group_records(records)[0], "test_rmse").n, 4u);
}

TEST(Observations, RoundingDoesNotMakeAnObservation) {
  std::vector<Record> records = repeated_run("standard", 2, 0.5);
  for (Record& record : records) {
    record.steps[0].metrics["train_rmse"] *= 1 + 1e-15 * static_cast<double>(record.repeat);
    record.steps[0].metrics["backward_error"] = 1e-16 * (1 + static_cast<double>(record.repeat));
  }

  EXPECT_EQ(summary_of(group_records(records)[0], "test_rmse").n, 4u);
}

TEST(Observations, TablesSayThatRepeatsDrewNothingAnew) {
  const std::vector<Record> records = repeated_run("standard", 3, 0.5);
  const auto says_so = [](const Table& table) {
    return std::ranges::any_of(
        table.remarks, [](const std::string& text) { return text.find("4 are distinct") != std::string::npos; });
  };

  EXPECT_TRUE(says_so(tables_of_records(records)[0]));
  EXPECT_TRUE(says_so(pivot_table(records, pivot_of({"algorithm"}, "mean_sd"))));
  EXPECT_EQ(value_in(pivot_table(records, pivot_of({}, "count")), "test_rmse"), 4);
}

}  // namespace
}  // namespace elmx
