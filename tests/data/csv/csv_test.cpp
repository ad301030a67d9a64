#include "data/csv/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

TableOptions target_is(const std::string& column, Task task = Task::regression) {
  TableOptions options;
  options.target = {column};
  options.task = task;
  return options;
}

template <class Error = DataError>
std::string csv_place(const std::string& text, const TableOptions& options = last_is_target(),
                      const CsvOptions& csv = {}) {
  return place_thrown<Error>([&] { read_csv(text, options, csv); });
}

/// Habits of published files: two rows (1, 2 | 3) and (4, 5 | 6).
class CsvHabits : public testing::TestWithParam<const char*> {};

TEST_P(CsvHabits, GiveTheSameTable) {
  const RawTable table = read_csv(GetParam());

  EXPECT_EQ(table.rows, 2U);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 4}));
  EXPECT_EQ(table.columns[1].values, (Numbers{2, 5}));
  EXPECT_EQ(table.columns[2].values, (Numbers{3, 6}));
  EXPECT_EQ(table.columns[0].role, Role::input);
  EXPECT_EQ(table.columns[2].role, Role::target);
}

INSTANTIATE_TEST_SUITE_P(Files, CsvHabits,
                         testing::Values("1,2,3\n4,5,6\n",                        //
                                         "1,2,3\n4,5,6",                          // no line end at the end
                                         "1,2,3\r\n4,5,6\r\n\r\n",                // CRLF, a blank line at the end
                                         "1,2,3\r4,5,6\r",                        // CR alone
                                         "1, 2, 3\n4, 5, 6\n",                    // adult
                                         "1;2;3\n4;5;6\n",                        //
                                         "1|2|3\n4|5|6\n",                        //
                                         "1\t2\t3\r\n4\t5\t6\r\n",                // airfoil
                                         " 1\t 2\t 3\t\r\n 4\t 5\t 6\t\r\n",      // planning_relax
                                         " 1  2.000   3\n 4  5.0 6 \n",           // housing, yacht
                                         "a,b,c\n1,2,3\n4,5,6\n",                 //
                                         "\"a\",\"b, b\",\"c\"\n1,2,3\n4,5,6\n",  // CASP
                                         "1 ,2,3 \n4 ,5,\"6\"\n",                 // transfusion
                                         "sep=;\n1;2;3\n4;5;6\n",                 // Excel
                                         "# a b c\n1 2 3\n4 5 6\n",               // numpy.savetxt
                                         "\xEF\xBB\xBF"
                                         "1,2,3\n4,5,6\n",  // a byte order mark
                                         "+1,2e0,3\n4.,5,0.6e1\n"));

TEST(Csv, NamesColumnsByTheHeaderOrByNumber) {
  const RawTable named = read_csv("alpha,\"be ta\"\n1,2\n", target_is("be ta"));
  EXPECT_EQ(named.columns[0].name, "alpha");
  EXPECT_EQ(named.columns[1].role, Role::target);
  EXPECT_EQ(read_csv("1,2\n").columns[1].name, "column2");

  const RawTable some = read_csv(",a,,y\n0,5,1,2\n1,6,2,3\n");
  EXPECT_EQ(some.columns[0].name, "column1");
  EXPECT_EQ(some.columns[2].name, "column3");
}

TEST(Csv, TakesTheGivenSeparator) {
  EXPECT_EQ(read_csv("1;2\n", target_is("2"), {.separator = "semicolon"}).columns[1].values, Numbers{2});
  EXPECT_EQ(read_csv("1\t2\n", target_is("2"), {.separator = "blank"}).columns[1].values, Numbers{2});
  EXPECT_EQ(read_csv("1\t2\n", target_is("2"), {.separator = "tab"}).columns[1].values, Numbers{2});
  EXPECT_EQ(read_csv("1|2\n", target_is("2"), {.separator = "pipe"}).columns[1].values, Numbers{2});
  TableOptions options = target_is("2");
  options.drop = {"1"};
  EXPECT_EQ(read_csv("1;x,2\n", options, {.separator = "comma"}).columns[1].values, Numbers{2});
}

TEST(Csv, LeavesCommentLinesOut) {
  const RawTable table = read_csv("|1x3 Cross validator\n1,2\n|\n3,4\n", target_is("2"), {.comment = "|"});
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3}));
}

TEST(Csv, NumbersCategoriesInOrderOfAppearance) {
  TableOptions options = target_is("2", Task::classification);
  options.nominal = {"1"};
  options.label_strip = ".";

  const RawTable table = read_csv("red,yes.\nblue,no.\nred,yes\n", options);

  EXPECT_EQ(table.columns[0].categories, (Names{"red", "blue"}));
  EXPECT_EQ(table.columns[0].values, (Numbers{0, 1, 0}));
  EXPECT_EQ(table.columns[1].categories, (Names{"yes", "no"}));
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 1, 0}));
}

TEST(Csv, StripsLabelsButNotCategories) {
  TableOptions options = target_is("2", Task::classification);
  options.nominal = {"1"};
  options.label_strip = ".";
  EXPECT_EQ(read_csv("a.,b.\n", options, {.header = "no"}).columns[0].categories, Names{"a."});
}

TEST(Csv, DoesNotReadDroppedColumns) {
  TableOptions options = target_is("3");
  options.drop = {"1"};

  const RawTable table = read_csv("name,1,2\n?,3,4\n", options);

  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[0].role, Role::dropped);
  EXPECT_TRUE(table.columns[0].values.empty());
}

TEST(Csv, KeepsMissingValuesWhereTheyAreAllowed) {
  const RawTable table = read_csv("1,?,3\n4,,6\n7,8,9\n", last_is_target("mean"));

  EXPECT_TRUE(std::isnan(table.columns[1].values[0]));
  EXPECT_TRUE(std::isnan(table.columns[1].values[1]));
  EXPECT_EQ(table.columns[1].values[2], 8);
}

TEST(Csv, ReadsLineEndsInQuotes) {
  const RawTable table = read_csv("a,b,y\n1,\"x\ny\",2\n3,\"z, \"\"q\"\"\r\n\",4\n5,z,6\n");
  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(table.columns[1].categories, (Names{"x\ny", "z, \"q\"\r\n", "z"}));
  EXPECT_EQ(table.columns[2].values, (Numbers{2, 4, 6}));
  EXPECT_EQ(read_csv("\"a\nb\";y\n1;2\n").columns[0].name, "a\nb");
}

TEST(Csv, ReadsUtf16AndWindows1252) {
  const std::string text = "na\xEFve,y\n1,2\n3,4\n";
  EXPECT_EQ(read_csv(text).columns[0].name, "na\xC3\xAFve");
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("a,y\n1,2\n3,4\n")) wide += std::string{c, '\0'};
  const RawTable table = read_csv(wide);
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3}));
  EXPECT_FALSE(table.report.text.empty());
}

TEST(CsvRefuses, RaggedRows) {
  EXPECT_TRUE(
      names_all(thrown<DataError>([] { read_csv("1,2,3\n1,2,3\n1,2,3,4\n1,2,3\n"); }), {"f.csv:3: ", "3 fields", "4"}));
  EXPECT_EQ(csv_place("1,2,3\n1,2\n"), "f.csv:2");
  EXPECT_EQ(csv_place("1,2,3\n4,5,6,7\n8,9,10,11\n"), "f.csv:1") << "most rows have four fields";
  EXPECT_EQ(csv_place("1 2\n1\n"), "f.csv:2");
  EXPECT_EQ(csv_place("a,b,c\n1,2,3\n\n1,2\n4,5,6\n7,8,9\n"), "f.csv:4");
}

TEST(CsvRefuses, ColumnsOfTheSameName) {
  const std::string text = "a,y,y\n1,2,2\n3,4,4\n";
  TableOptions options = target_is("y");
  EXPECT_EQ(csv_place<ConfigError>(text, options), "/data/target");
  options = target_is("1");
  options.drop = {"y"};
  EXPECT_EQ(csv_place<ConfigError>(text, options), "/data/drop");
  options.drop = {};
  options.nominal = {"y"};
  EXPECT_EQ(csv_place<ConfigError>(text, options), "/data/nominal");

  EXPECT_EQ(csv_place(text, target_is("2")), "f.csv");
  options = target_is("2");
  options.drop = {"3"};
  EXPECT_EQ(read_csv(text, options).rows, 2U) << "the other column is not read";
  options.target = {"y"};
  EXPECT_EQ(read_csv(text, options).columns[1].role, Role::target) << "a dropped column has no name";
  options.target = {"3"};
  EXPECT_EQ(csv_place<ConfigError>(text, options), "/data/target");
}

TEST(CsvRefuses, FilesWithoutData) {
  EXPECT_EQ(csv_place(""), "f.csv");
  EXPECT_EQ(csv_place("\n \n"), "f.csv");
  EXPECT_EQ(csv_place("a,b\n", target_is("a"), {.header = "yes"}), "f.csv");
  EXPECT_EQ(csv_place("a,b\n", target_is("a")), "f.csv");
}

TEST(CsvRefuses, ColumnsThatTheFileDoesNotHave) {
  const std::string text = "alpha,beta\n1,2\n";
  EXPECT_TRUE(names_all(thrown<ConfigError>([&] { read_csv(text, target_is("alhpa")); }),
                        {"/data/target: ", "\"alhpa\"", "\"alpha\""}));
  for (const std::string number : {"0", "3", "-3", "-9223372036854775808", "9223372036854775807"})
    EXPECT_TRUE(names_all(thrown<ConfigError>([&] { read_csv(text, target_is(number)); }), {"/data/target: ", number}));
  EXPECT_EQ(csv_place<ConfigError>(text, TableOptions{}), "/data/target");

  TableOptions options = target_is("beta");
  options.drop = {"beta"};
  EXPECT_EQ(csv_place<ConfigError>(text, options), "/data/target");
  options.drop = {"-3"};
  EXPECT_EQ(csv_place<ConfigError>(text, options), "/data/drop");
  options.drop = {};
  options.nominal = {"beta"};
  EXPECT_EQ(csv_place<ConfigError>(text, options), "/data/target");

  TableOptions two = target_is("alpha", Task::classification);
  two.target.push_back("beta");
  EXPECT_EQ(csv_place<ConfigError>(text, two), "/data/target");
}

TEST(Csv, OtherTargetsAreNoInputs) {
  TableOptions options = target_is("b");
  options.other_targets = {"a", "b"};

  const RawTable table = read_csv("a,b,c\n1,2,3\n", options);

  EXPECT_EQ(table.columns[0].role, Role::dropped);
  EXPECT_EQ(table.columns[1].role, Role::target);
  EXPECT_EQ(table.columns[2].role, Role::input);
}

TEST(Csv, LeavesARowOfUnitsOut) {
  TableOptions options = last_is_target();
  options.task = Task::classification;
  const RawTable table = read_csv("a,b,label\ncm,kg,-\n1,2,x\n3,4,y\n5,6,x\n", options);
  EXPECT_EQ(table.columns[0].values, (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(table.columns[2].categories, (std::vector<std::string>{"x", "y"}));
  ASSERT_EQ(table.report.rows_left_out.size(), 1U);
  EXPECT_EQ(table.report.rows_left_out[0].first_line, 2U);
}

TEST(Csv, ReportsNamesOfRowsAsNotRead) {
  const RawTable table = read_csv("a,t\nr1,1.5,2\nr2,2.5,3\n");
  EXPECT_EQ(report_on(table.report, "row_names").type, kNotRead);
  ASSERT_EQ(table.report.notes.size(), 1U);
  EXPECT_TRUE(names_all(table.report.notes[0], {"2 names", "3 fields"}));
}

TEST(Csv, ReportsEmptyRowsAndLinesAbove) {
  const RawTable table = read_csv("from the pier\na,b,y\n1,2,3\n,,\n4,5,6\n");
  EXPECT_EQ(table.rows, 2U);
  ASSERT_EQ(table.report.rows_left_out.size(), 2U);
  EXPECT_EQ(table.report.rows_left_out[0].count, 1U);
  EXPECT_EQ(table.report.rows_left_out[0].first_line, 1U);
  EXPECT_EQ(table.report.rows_left_out[1].count, 1U);
  EXPECT_EQ(table.report.rows_left_out[1].first_line, 4U);
}

}  // namespace
}  // namespace elmx
