#include "report/tables/speed_ups.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/frame/selection.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"

// Speed-ups divide times of equal work: of the same network, and of steps that do the same.

namespace elmx {
namespace {

/// A trial of the family elm whose step and whole training take so many seconds.
Record timed_record(const std::string& algorithm, arma::uword fold, double ridge, double step, double total,
                    double loo_mse = 1) {
  Record record = one_step_record("", algorithm, fold, 50, {{"test_rmse", loo_mse}, {"loo_mse", loo_mse}});
  record.family = "elm";
  record.point["/model/ridge"] = ridge;
  record.steps[0].step = {step, 0, 1};
  record.steps[0].total_seconds = total;
  return record;
}

double speed_up_of(const std::vector<RecordRow>& rows, const std::string& algorithm, const std::string& reference,
                   const std::string& time) {
  const auto row = std::ranges::find(rows, algorithm, &RecordRow::algorithm);
  return SpeedUps(rows, {{"", reference}}).of(*row, time).ratio.value;
}

TEST(SpeedUps, ASolveIsNotDividedByAStepOfOneNode) {
  const std::vector<Record> records = {timed_record("standard", 0, 0.1, 1, 2), timed_record("alg2", 0, 0.1, 0.01, 4),
                                       timed_record("alg3", 0, 0.1, 0.02, 8)};
  const std::vector<RecordRow> rows = group_records(records);

  EXPECT_TRUE(std::isnan(speed_up_of(rows, "alg2", "standard", "step_seconds")));
  EXPECT_DOUBLE_EQ(speed_up_of(rows, "alg2", "standard", "total_seconds"), 0.5);
  EXPECT_DOUBLE_EQ(speed_up_of(rows, "alg3", "alg2", "step_seconds"), 0.5) << "both add one node";
}

TEST(SpeedUps, EveryAlgorithmOfABroadNetworkTakesTheSameStep) {
  std::vector<Record> records = {timed_record("d-rdg", 0, 0.1, 1, 2), timed_record("chol-1", 0, 0.1, 0.25, 1)};
  for (Record& record : records) record.family = "bls";

  EXPECT_DOUBLE_EQ(speed_up_of(group_records(records), "chol-1", "d-rdg", "step_seconds"), 4);
}

/// Two algorithms that choose another ridge parameter each: `quick` takes a quarter of the time of `slow` at
/// each of them, and both take ten times as long at 10.
std::vector<RecordRow> choosing_rows(const std::vector<Record>& records) {
  SelectOptions select;
  select.by = "loo_mse";
  select.over = {"/model/ridge"};
  return with_selections(group_records(records), {{"", select}});
}

std::vector<Record> choosing_run() {
  std::vector<Record> records;
  for (const arma::uword fold : {0u, 1u}) {
    records.push_back(timed_record("alg1", fold, 1, 1, 4, 0.5));
    records.push_back(timed_record("alg1", fold, 10, 1, 40, 0.9));
    records.push_back(timed_record("alg2", fold, 1, 1, 1, 0.9));
    records.push_back(timed_record("alg2", fold, 10, 1, 10, 0.5));
  }
  return records;
}

TEST(SpeedUps, AChosenNetworkIsComparedWithTheSameNetwork) {
  const std::vector<Record> records = choosing_run();
  const std::vector<RecordRow> rows = choosing_rows(records);

  int choices = 0;
  for (const RecordRow& row : rows) {
    if (row.algorithm != "alg2" || row.over.empty()) continue;
    EXPECT_NEAR(SpeedUps(rows, {{"", "alg1"}}).of(row, "total_seconds").ratio.value, 4, 1e-14) << row.chosen;
    ++choices;
  }
  EXPECT_EQ(choices, 2) << "by loo_mse, and on the test part";
}

TEST(SpeedUps, ANetworkThatTheReferenceDidNotTrainHasNone) {
  std::vector<Record> records = choosing_run();
  std::erase_if(records, [](const Record& record) {
    return record.algorithm == "alg1" && record.point.at("/model/ridge") == 10;
  });
  const std::vector<RecordRow> rows = choosing_rows(records);
  const auto row = std::ranges::find_if(rows, [](const RecordRow& one) { return one.chosen == "by loo_mse"; });
  ASSERT_NE(row, rows.end());
  ASSERT_EQ(row->algorithm, "alg2");

  const SpeedUp found = SpeedUps(rows, {{"", "alg1"}}).of(*row, "total_seconds");

  EXPECT_TRUE(std::isnan(found.ratio.value));
  EXPECT_FALSE(found.missing.empty());
}

TEST(SpeedUps, TablesAndPivotsHaveBothOfThem) {
  const std::vector<Record> records = {timed_record("alg1", 0, 0.1, 1, 6), timed_record("alg2", 0, 0.1, 0.5, 2)};
  const std::vector<RecordRow> rows = group_records(records);
  PivotOptions options;
  options.rows = {"algorithm"};
  options.metrics = {"step_speedup", "total_speedup"};
  options.references = {"alg1"};
  const Table times = time_table(rows, SpeedUps(rows, {{"", "alg1"}})), pivot = pivot_table(records, options);

  const auto number = [](const Table& table, std::size_t row, const std::string& column) {
    const auto at = std::ranges::find(table.columns, column, &Column::name);
    return at == table.columns.end()
               ? NAN
               : table.rows.at(row)[static_cast<std::size_t>(at - table.columns.begin())].value.value_or(NAN);
  };
  EXPECT_DOUBLE_EQ(number(times, 1, "step_speedup"), 2);
  EXPECT_DOUBLE_EQ(number(times, 1, "total_speedup"), 3);
  EXPECT_DOUBLE_EQ(number(pivot, 1, "step_speedup"), 2);
  EXPECT_DOUBLE_EQ(number(pivot, 1, "total_speedup"), 3);
}

}  // namespace
}  // namespace elmx
