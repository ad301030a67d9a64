#include <gtest/gtest.h>

#include <fstream>

#include "published/paper.hpp"
#include "report/formats/table_formats.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class PaperSummary : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Writes RUN/tables/ID.json with one row per verdict; verdicts with a footnote have a reason.
  void compared(const std::string& run, const std::string& id,
                const std::vector<std::pair<Verdict, bool>>& verdicts) const {
    Table table{id, "Table " + id + ": published and measured", {{"verdict", "verdict"}}, {}, {"a reason"}, {}};
    for (const auto& [verdict, reason] : verdicts) {
      table.rows.push_back({text_cell(verdict_text({verdict, MoreRuns{3}}))});
      table.rows.back()[0].note = reason;
    }
    std::filesystem::create_directories(folder_ / run / "tables");
    std::ofstream(folder_ / run / "tables" / (id + ".json")) << to_json_text(table);
  }

  std::vector<std::string> row(const Table& table, std::size_t i) const {
    std::vector<std::string> texts;
    for (const Cell& cell : table.rows.at(i)) texts.push_back(plain_text(cell));
    return texts;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("elmx_paper_summary_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(PaperSummary, CountsTheVerdictsOfEachTableAndOfEachFamily) {
  using enum Verdict;
  compared("one", "elm-table2",
           {{agrees, false},
            {agrees, false},
            {disagrees, true},
            {disagrees, false},
            {level, false},
            {consistent, false},
            {consistent, false},
            {consistent, false},
            {contrary, false},
            {contrary, false},
            {not_available, true},
            {shown, false}});
  compared("two", "elm-table10", {{agrees, false}});
  compared("tried", "elm-table2", {{disagrees, false}});

  const Table table = paper_summary(
      {{"elm-table10", folder_ / "two"}, {"bls-table1", folder_ / "two"}, {"elm-table2", folder_ / "one"}});

  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(row(table, 0),
            (std::vector<std::string>{"bls-table1", "not run", "NA", "NA", "NA", "NA", "NA", "NA", "NA", "NA"}));
  EXPECT_EQ(row(table, 2),
            (std::vector<std::string>{"elm-table2", "Table elm-table2", "2", "1", "3", "2", "2", "1", "1", "2"}));
  EXPECT_EQ(row(table, 3),
            (std::vector<std::string>{"elm-table10", "Table elm-table10", "1", "0", "0", "0", "0", "0", "0", "0"}));
  EXPECT_EQ(row(table, 4),
            (std::vector<std::string>{"elm", "all that was run", "3", "1", "3", "2", "2", "1", "1", "2"}));
}

TEST_F(PaperSummary, RefusesWhatIsNoComparison) {
  std::filesystem::create_directories(folder_ / "one" / "tables");
  std::ofstream(folder_ / "one" / "tables" / "elm-table2.json") << R"({"title": "x", "rows": [{"other": 1}]})";

  EXPECT_EQ(place_thrown<DataError>([&] {
              paper_summary({{"elm-table2", folder_ / "one"}});
            }),
            (folder_ / "one" / "tables" / "elm-table2.json").string());
}

}  // namespace
}  // namespace elmx
