#include <gtest/gtest.h>

#include "base/error.hpp"
#include "published/paper.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

const std::string kTable =
    "algorithm,how,metric,value\ns3elm,cross validation,test_acc,0.5\ns3elm,,test_acc,0.5\nelm,cross "
    "validation,test_acc,0.5\n"
    "op-elm,cross validation,test_acc,0.5\nop-elm,,test_acc,0.5\n";

Table compared(const char* json, const std::vector<Record>& records) {
  PaperOptions options;
  read_options(parse_json(json, "test"), "/paper", options);
  return compare_with_paper(options, parse_published(kTable, "t"), records).table;
}

/// Returns a column; -1 if a cell has no number.
std::vector<double> column(const Table& table, const std::string& name) {
  const auto at =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& c) { return c.name == name; });
  std::vector<double> values;
  for (const auto& row : table.rows)
    values.push_back(row[static_cast<std::size_t>(at - table.columns.begin())].value.value_or(-1));
  return values;
}

constexpr const char* kAsTold = R"({"case": "airfoil", "beside": [{"title": "as told", "chosen": "{how}"}]})";

// The means of grid_run are: s3elm best 0.625, cross validation 0.5; elm best 0.3125; op-elm 0.5.

TEST(PaperChosen, IsTheBestOnTheTestPartOrTheOnlyRowUnlessTold) {
  EXPECT_EQ(column(compared(R"({"case": "airfoil"})", grid_run()), "measured"),
            (std::vector<double>{0.625, 0.625, 0.3125, 0.5, 0.5}));
}

TEST(PaperChosen, ComesFromAColumnAndIsMissingWhereAGridHasNoSuchChoice) {
  EXPECT_EQ(column(compared(kAsTold, grid_run()), "as told"), (std::vector<double>{0.5, 0.625, -1, 0.5, 0.5}));
  EXPECT_THROW(compared(R"({"case": "airfoil", "beside": [{"title": "as told", "chosen": "{who}"}]})", grid_run()),
               ConfigError);
}

TEST(PaperChosen, ASinglePointIsPassedOverForTheChoiceThatWasAskedFor) {
  std::vector<Record> records = {grid_record("s3elm", 0, {{{{"mu", 1}}, 0.25}, {{{"mu", 1}}, 0.75}})};
  records[0].steps[1].chosen = "cross validation";

  EXPECT_EQ(column(compared(kAsTold, records), "as told"), (std::vector<double>{0.75, 0.25, -1, -1, -1}));
  std::swap(records[0].steps[0], records[0].steps[1]);
  EXPECT_EQ(column(compared(kAsTold, records), "as told"), (std::vector<double>{0.75, 0.25, -1, -1, -1}));
}

TEST(PaperChosen, AnotherChoiceStandsBesideTheMeasuredOne) {
  const Table table = compared(
      R"({"case": "airfoil", "beside": [{"title": "chosen within", "chosen": "cross validation"}, {"title": "as told", "chosen": "{how}"}]})",
      grid_run());

  EXPECT_EQ(column(table, "measured"), (std::vector<double>{0.625, 0.625, 0.3125, 0.5, 0.5}));
  EXPECT_EQ(column(table, "chosen within"), (std::vector<double>{0.5, 0.5, -1, 0.5, 0.5}));
  EXPECT_EQ(column(table, "as told"), (std::vector<double>{0.5, 0.625, -1, 0.5, 0.5}));
}

TEST(PaperChosen, TestingTimeIsAMetric) {
  std::vector<Record> records = grid_run();
  for (Record& record : records) {
    for (StepRecord& step : record.steps) step.test_seconds = record.algorithm == "elm" ? 0 : 3;
  }

  EXPECT_EQ(column(compared(R"({"case": "airfoil", "metric": "test_seconds"})", records), "measured"),
            (std::vector<double>{3, 3, -1, 3, 3}));
}

}  // namespace
}  // namespace elmx
