#include "data/csv/csv_options.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

TableOptions target(const std::string& column, Task task = Task::regression) {
  TableOptions options;
  options.target = {column};
  options.task = task;
  return options;
}

RawTable read(const std::string& text, const TableOptions& options = target("-1"),
              const CsvOptions& layout = {}) {
  return read_delimited({"f.csv", text, ""}, options, layout);
}

std::string refusal(const std::string& text, const TableOptions& options = target("-1")) {
  return message_of<DataError>([&] { read(text, options); });
}

/// Every habit of the published files: two rows (1, 2 | 3) and (4, 5 | 6).
class DelimitedHabits : public testing::TestWithParam<const char*> {};

TEST_P(DelimitedHabits, GiveTheSameTable) {
  const RawTable table = read(GetParam());

  EXPECT_EQ(table.rows, 2U);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 4}));
  EXPECT_EQ(table.columns[1].values, (Numbers{2, 5}));
  EXPECT_EQ(table.columns[2].values, (Numbers{3, 6}));
  EXPECT_EQ(table.columns[0].role, Role::input);
  EXPECT_EQ(table.columns[2].role, Role::target);
}

INSTANTIATE_TEST_SUITE_P(Files, DelimitedHabits,
                         testing::Values("1,2,3\n4,5,6\n",                        //
                                         "1,2,3\n4,5,6",                          // no newline at the end
                                         "1,2,3\r\n4,5,6\r\n\r\n",                // CRLF, a blank line at the end
                                         "1, 2, 3\n4, 5, 6\n",                    // adult
                                         "1;2;3\n4;5;6\n",                        //
                                         "1\t2\t3\r\n4\t5\t6\r\n",                // airfoil
                                         " 1\t 2\t 3\t\r\n 4\t 5\t 6\t\r\n",      // planning_relax
                                         " 1  2.000   3\n 4  5.0 6 \n",           // housing, yacht
                                         "a,b,c\n1,2,3\n4,5,6\n",                 //
                                         "\"a\",\"b, b\",\"c\"\n1,2,3\n4,5,6\n",  // CASP
                                         "1 ,2,3 \n4 ,5,\"6\"\n",                 // transfusion
                                         "+1,2e0,3\n4.,5,0.6e1\n"));

TEST(Delimited, NamesColumnsByTheHeaderOrByNumber) {
  const RawTable named = read("alpha,\"be ta\"\n1,2\n", target("be ta"));
  EXPECT_EQ(named.columns[0].name, "alpha");
  EXPECT_EQ(named.columns[1].role, Role::target);

  EXPECT_EQ(read("1,2\n").columns[1].name, "column2");
}

TEST(Delimited, FindsAHeaderOnlyWhereTextStandsOverNumbers) {
  CsvOptions options;
  EXPECT_TRUE(find_layout("a,b\n1,2\n", options).header);
  EXPECT_FALSE(find_layout("T,2\nI,5\n", options).header);
  EXPECT_FALSE(find_layout("a,b\nc,d\n", options).header);
  EXPECT_FALSE(find_layout("a,b\n", options).header);
  EXPECT_FALSE(find_layout("?,?,yes\n1,2,no\n", options).header) << "a row with missing values";
  EXPECT_FALSE(find_layout(",,yes\n1,2,no\n", options).header) << "no name over a number";
  EXPECT_TRUE(find_layout(",a,y\n0,5,no\n", options).header) << "row numbers have no name";

  options.header = "yes";
  EXPECT_TRUE(find_layout("1990,1991\n1,2\n", options).header);
  options.header = "no";
  EXPECT_FALSE(find_layout("a,b\n1,2\n", options).header);
}

TEST(Delimited, TakesTheSeparatorThatPartsEveryLineEvenly) {
  const CsvOptions options;
  EXPECT_EQ(find_layout("a;b,c\n1;2\n", options).separator, ';');
  EXPECT_EQ(find_layout("a\tb,c\n1\t2\n", options).separator, '\t');
  EXPECT_EQ(find_layout("x;y,b\nz,c\n", options).separator, ',');
  EXPECT_EQ(find_layout("1 2\n3 4\n", options).separator, ' ');
  EXPECT_EQ(find_layout("1\n2\n", options).separator, ' ');
}

TEST(Delimited, TakesTheSeparatorItIsTold) {
  TableOptions options = target("2");
  EXPECT_EQ(read("1;2\n", options, {.separator = "semicolon", .comment = ""}).columns[1].values, Numbers{2});
  EXPECT_EQ(read("1\t2\n", options, {.separator = "blank", .comment = ""}).columns[1].values, Numbers{2});
  EXPECT_EQ(read("1\t2\n", options, {.separator = "tab", .comment = ""}).columns[1].values, Numbers{2});
  options.drop = {"1"};
  EXPECT_EQ(read("1;x,2\n", options, {.separator = "comma", .comment = ""}).columns[1].values, Numbers{2});
}

TEST(Delimited, PassesOverComments) {
  const RawTable table = read("|1x3 Cross validator\n1,2\n|\n3,4\n", target("2"), {.comment = "|"});
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3}));
}

TEST(Delimited, NumbersCategoriesInOrderOfAppearance) {
  TableOptions options = target("2", Task::classification);
  options.nominal = {"1"};
  options.label_strip = ".";

  const RawTable table = read("red,yes.\nblue,no.\nred,yes\n", options);

  EXPECT_EQ(table.columns[0].categories, (Names{"red", "blue"}));
  EXPECT_EQ(table.columns[0].values, (Numbers{0, 1, 0}));
  EXPECT_EQ(table.columns[1].categories, (Names{"yes", "no"}));
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 1, 0}));
}

TEST(Delimited, StripsLabelsButNotCategories) {
  TableOptions options = target("2", Task::classification);
  options.nominal = {"1"};
  options.label_strip = ".";
  EXPECT_EQ(read("a.,b.\n", options).columns[0].categories, Names{"a."});
}

TEST(Delimited, DoesNotReadDroppedColumns) {
  TableOptions options = target("3");
  options.drop = {"1"};

  const RawTable table = read("name,1,2\n?,3,4\n", options);

  EXPECT_EQ(table.columns[0].role, Role::dropped);
  EXPECT_TRUE(table.columns[0].values.empty());
}

TEST(Delimited, KeepsMissingValuesWhereTheyAreAllowed) {
  TableOptions options = target("3");
  options.missing = "mean";

  const RawTable table = read("1,?,3\n4,,6\n7,8,9\n", options);

  EXPECT_TRUE(std::isnan(table.columns[1].values[0]));
  EXPECT_TRUE(std::isnan(table.columns[1].values[1]));
  EXPECT_EQ(table.columns[1].values[2], 8);
}

TEST(DelimitedRefuses, MissingValues) {
  EXPECT_EQ(refusal("1,2\n?,3\n"),
            "f.csv: column \"column1\": 1 missing value (\"?\" in line 2); a value is expected (\"missing\": "
            "\"drop_rows\" or \"mean\" allows such fields)");
  EXPECT_EQ(refusal("1,,3\n1,,3\n"),
            "f.csv: column \"column2\": no value in any row; \"drop\": [\"column2\"] leaves the column out");
}

TEST(DelimitedRefuses, TextForANumber) {
  EXPECT_EQ(
      refusal("1,2\n3,4\n\nabc,5\n"),
      "f.csv: column \"column1\": 1 of 3 values is no number, the first \"abc\" in line 4; a finite number is "
      "expected (\"missing_values\": [\"abc\"] takes such texts for missing values, \"nominal\": [\"column1\"] the "
      "column for categories)");
  EXPECT_EQ(refusal("1,2\n3,four\n"),
            "f.csv: target \"column2\": 1 of 2 values is no number, the first \"four\" in line 2; a finite number is "
            "expected in a regression (\"task\": \"classification\" takes texts for classes)");
}

TEST(DelimitedRefuses, NumbersThatAreNotFinite) {
  EXPECT_TRUE(refusal("1,2\n+inf,5\n")
                  .starts_with("f.csv: column \"column1\": 1 of 2 values is no number, the first \"+inf\" in line 2; a "
                               "finite number is expected"));
  EXPECT_EQ(
      refusal("1,2\n1,nan\n"),
      "f.csv: target \"column2\": 1 missing value (\"nan\" in line 2); \"missing\": \"drop_rows\" leaves such rows "
      "out");
}

TEST(DelimitedRefuses, RaggedRows) {
  EXPECT_EQ(refusal("1,2,3\n1,2\n"), "f.csv: line 2: 2 columns; 3 expected");
  EXPECT_EQ(refusal("1,2,3\n1,2,3,4\n"), "f.csv: line 2: 4 columns; 3 expected");
  EXPECT_EQ(refusal("1,2,3,\n1,2,3,4\n"), "f.csv: line 2: 4 columns; 3 expected");
  EXPECT_EQ(refusal("1 2\n1\n"), "f.csv: line 2: 1 column; 2 expected");
}

TEST(Delimited, NamesColumnsWithoutANameByNumber) {
  const RawTable table = read(",a,,y\n0,5,1,2\n1,6,2,3\n");
  EXPECT_EQ(table.columns[0].name, "column1");
  EXPECT_EQ(table.columns[2].name, "column3");
}

TEST(DelimitedRefuses, ColumnsOfTheSameName) {
  const std::string text = "a,y,y\n1,2,2\n3,4,4\n";
  const auto config = [&](const char* option, const TableOptions& options) {
    EXPECT_EQ(
        message_of<ConfigError>([&] { read(text, options); }),
        "/data/" + std::string(option) + ": 2 columns are called \"y\"; allowed: the number of the one that is meant");
  };
  TableOptions options = target("y");
  config("target", options);
  options = target("1");
  options.drop = {"y"};
  config("drop", options);
  options.drop = {};
  options.nominal = {"y"};
  config("nominal", options);

  EXPECT_EQ(refusal(text, target("2")),
            "f.csv: columns 2 and 3 are both called \"y\"; names that differ are expected (\"drop\": [\"3\"] leaves "
            "column 3 out)");
  options = target("2");
  options.drop = {"3"};
  EXPECT_EQ(read(text, options).rows, 2U) << "its twin is not read";
  options = target("1");
  options.nominal = {"2", "3"};
  EXPECT_TRUE(message_of<DataError>([&] {
                read(text, options, {.header = "no", .comment = ""});
              }).starts_with("f.csv: target \"column1\": 1 of 3 values is no number"))
      << "no names, no twins";
}

TEST(DelimitedRefuses, QuotesThatAreNotClosed) {
  const std::string what =
      "a quote without end; the closing quote is expected, at most 1000 lines and 64 KiB behind it";
  EXPECT_EQ(refusal("a,b\n1,2\n\"3,4\n5,6\n"), "f.csv: line 3: " + what);
  EXPECT_EQ(refusal("a,\"b\n1,2\n"), "f.csv: line 1: " + what);
  EXPECT_EQ(refusal("1,2\n\n3,\"4\"\"\n"), "f.csv: line 3: " + what) << "a doubled quote closes nothing";
  EXPECT_EQ(refusal("1 2\n3 \"4\n"), "f.csv: line 2: " + what);
  EXPECT_EQ(refusal("1,2\n\"" + std::string(1100, '\n') + "3\",4\n"), "f.csv: line 2: " + what) << "too many lines";
  EXPECT_EQ(read("1,\"2\"\n3,\"4\"\n").columns[1].values, (Numbers{2, 4}));
}

TEST(DelimitedRefuses, FilesWithoutData) {
  EXPECT_EQ(refusal(""), "f.csv: no data; at least one row is expected");
  EXPECT_EQ(refusal("\n \n"), "f.csv: no data; at least one row is expected");
  EXPECT_EQ(message_of<DataError>([&] { read("a,b\n", target("a"), {.header = "yes", .comment = ""}); }),
            "f.csv: no data; at least one row is expected");
}

TEST(ColumnsRefuse, WhatTheFileDoesNotHave) {
  const auto config = [](const TableOptions& options) {
    return message_of<ConfigError>([&] { read("alpha,beta\n1,2\n", options); });
  };
  EXPECT_EQ(config(target("alhpa")), "/data/target: no column \"alhpa\"; did you mean \"alpha\"?");
  EXPECT_EQ(config(target("3")), "/data/target: no column 3; allowed: 1 to 2, or -1 to -2 from the end");
  for (const std::string number : {"-9223372036854775808", "9223372036854775807"}) {
    EXPECT_EQ(config(target(number)),
              "/data/target: no column " + number + "; allowed: 1 to 2, or -1 to -2 from the end");
  }
  EXPECT_EQ(config(target("0")), "/data/target: no column 0; allowed: 1 to 2, or -1 to -2 from the end");
  EXPECT_EQ(config(TableOptions{}), "/data/target: missing; name the target column(s), or give their numbers");

  TableOptions options = target("beta");
  options.drop = {"beta"};
  EXPECT_EQ(config(options), "/data/target: column \"beta\" is also dropped; allowed: one or the other");
  options.drop = {"-3"};
  EXPECT_EQ(config(options), "/data/drop: no column -3; allowed: 1 to 2, or -1 to -2 from the end");
  options.drop = {};
  options.nominal = {"beta"};
  EXPECT_EQ(config(options), "/data/target: column \"beta\" is nominal; a regression needs numbers");

  TableOptions two = target("alpha", Task::classification);
  two.target.push_back("beta");
  EXPECT_EQ(config(two), "/data/target: 2 columns; a classification has one");
}

TEST(Columns, OtherTargetsAreNoInputs) {
  TableOptions options = target("b");
  options.other_targets = {"a", "b"};

  const RawTable table = read("a,b,c\n1,2,3\n", options);

  EXPECT_EQ(table.columns[0].role, Role::dropped);
  EXPECT_EQ(table.columns[1].role, Role::target);
  EXPECT_EQ(table.columns[2].role, Role::input);
}

}  // namespace
}  // namespace elmx
