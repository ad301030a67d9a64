#include <gtest/gtest.h>

#include <cmath>

#include "report/tables/speed_ups.hpp"
#include "support/records.hpp"
#include "support/table_cells.hpp"

namespace elmx {
namespace {

/// existing and alg1 over two folds of three rounds; the machine is ten times slower in fold 1, and alg1 is
/// disturbed once.
std::vector<Record> run_in_rounds() {
  std::vector<Record> records;
  for (const arma::uword fold : {0u, 1u}) {
    const double slow = fold == 0 ? 1e-3 : 1e-2;
    for (const std::string algorithm : {"existing", "alg1"}) {
      Record record = one_step_record("", algorithm, fold, 100, {});
      std::vector<double> rounds =
          algorithm == "existing" ? std::vector<double>{4, 4.4, 3.6} : std::vector<double>{2, 2.2, 1.8};
      for (double& seconds : rounds) seconds *= slow;
      if (algorithm == "alg1" && fold == 1) rounds[1] *= 50;
      record.steps[0].step = seconds_of(rounds);
      record.steps[0].step.rounds = rounds;
      records.push_back(record);
    }
  }
  return records;
}

Table table_of(const std::vector<Record>& records) {
  const auto rows = group_records(records);
  return time_table(rows, SpeedUps(rows, reference_algorithms(rows, "")));
}

/// Speed-up and interval of the first row, alg1.
std::vector<double> speed_up_of(const std::vector<Record>& records) {
  std::vector<double> values;
  const Table table = table_of(records);
  const auto& row = table.rows.at(0);
  const std::size_t first = place_of(table, "step_speedup");
  for (std::size_t i = first; i < first + 3; ++i) values.push_back(row.at(i).value.value_or(NAN));
  return values;
}

TEST(TimeTable, RoundsAreComparedOneByOneAndTrialsCountOnce) {
  const auto values = speed_up_of(run_in_rounds());

  for (const double value : values) EXPECT_NEAR(value, 2, 1e-14) << "whatever the machine did to both, and once to one";
}

TEST(TimeTable, TrialsThatOneOfTheTwoLacksDoNotCount) {
  std::vector<Record> records = run_in_rounds();
  records[2].steps[0].status = Status::not_finite;  // existing in fold 1
  const auto values = speed_up_of(records);

  EXPECT_NEAR(values[0], 2, 1e-14);
  EXPECT_FALSE(std::isnan(values[1])) << "the rounds of fold 0";
}

TEST(TimeTable, TimesOfDifferentMachinesAreNotDivided) {
  std::vector<Record> records = run_in_rounds();
  for (Record& record : records) record.machine = "quick, 1 thread";
  ASSERT_EQ(speed_up_of(records), speed_up_of(run_in_rounds())) << "measured on one machine, or it is not known";
  records[2].machine = "slow, 1 thread";  // existing in fold 1
  for (double& seconds : records[2].steps[0].step.rounds) seconds *= 7;

  for (const double value : speed_up_of(records)) EXPECT_NEAR(value, 2, 1e-14) << "of fold 0";
  const std::vector<std::string> remarks = table_of(records).remarks;
  EXPECT_TRUE(std::ranges::any_of(
      remarks, [](const std::string& remark) { return remark.starts_with("Speed-ups: 1 trial left out"); }));
  records[2].machine = records[3].machine = "quick, 1 thread; slow, 1 thread";
  for (const double value : speed_up_of(records))
    EXPECT_NEAR(value, 2, 1e-14) << "nobody knows how much of it was where";
  records[2].machine = "slow, 1 thread";
  records[3].machine.clear();  // alg1 in fold 1, by an earlier elmx
  EXPECT_GT(speed_up_of(records)[0], 3);
}

TEST(TimeTable, ALoneAlgorithmHasNoSpeedUp) {
  std::vector<Record> records = run_in_rounds();
  std::erase_if(records, [](const Record& record) { return record.algorithm == "existing"; });
  const Table table = table_of(records);

  for (const Column& column : table.columns) EXPECT_EQ(column.name.find("speedup"), std::string::npos) << column.name;
  EXPECT_EQ(table.rows.at(0).size(), table.columns.size());
}

TEST(TimeTable, SpeedUpsAreOverTheFirstAlgorithmHoweverSlowOthersAre) {
  std::vector<Record> records = run_in_rounds();
  for (Record& record : records) record.algorithm = record.algorithm == "existing" ? "slow" : "quick";
  const auto reference = [&](const std::vector<std::string>& order) {
    return reference_algorithms(group_records(records, {{}, order}), "").begin()->second;
  };

  EXPECT_EQ(reference({"quick", "slow"}), "quick");
  EXPECT_EQ(reference({"slow", "quick"}), "slow");
}

TEST(TimeTable, SaysWhereNoIntervalCanBeGiven) {
  std::vector<Record> records = run_in_rounds();
  EXPECT_TRUE(table_of(records).remarks.empty());
  records.resize(2);
  for (Record& record : records) record.steps[0].step.rounds.clear();

  EXPECT_TRUE(std::isnan(speed_up_of(records)[1]));
  EXPECT_TRUE(table_of(records).remarks.at(0).starts_with("No interval"));
}

TEST(TimeTable, WarnsOfNoisyTimes) {
  std::vector<Record> records;
  for (arma::uword fold = 0; fold < 12; ++fold) records.push_back(one_step_record("", "alg1", fold, 100, {}));
  EXPECT_EQ(timing_noise(group_records(records)), "");
  records[5].steps[0].step.mean = 5e-3;
  EXPECT_NE(timing_noise(group_records(records)).find("outliers among their times: 1 of 1."), std::string::npos);
  records[5].steps[0].step.mean = 1e-3;
  records[0].steps[0].total_seconds = 3;

  EXPECT_NE(timing_noise(group_records(records)).find("as long as any other: 1."), std::string::npos);
  EXPECT_EQ(table_of(records).remarks, std::vector<std::string>{timing_noise(group_records(records))});
}

TEST(TimeTable, RecordsWithoutRoundsAreReadAsBefore) {
  Record record = one_step_record("", "alg1", 0, 100, {});
  EXPECT_FALSE(to_json(record)["timing"]["steps"][0].contains("rounds"));
  record.steps[0].step.rounds = {1e-3, 2e-3};

  EXPECT_EQ(record_from_json(to_json(record)).steps[0].step.rounds, (std::vector<double>{1e-3, 2e-3}));
}

}  // namespace
}  // namespace elmx
