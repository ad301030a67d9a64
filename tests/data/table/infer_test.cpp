#include "data/table/infer.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "data/table/read_report.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

// Files as people have them, through the reader of delimited text.

namespace elmx {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

Names problems_of(const std::string& text, const TableOptions& options = last_is_target(), const CsvOptions& csv = {}) {
  try {
    read_csv(text, options, csv);
  } catch (const TableProblems& error) {
    return error.lines();
  }
  return {};
}

const RawColumn& column_of(const RawTable& table, const std::string& name) {
  return *std::ranges::find(table.columns, name, &RawColumn::name);
}

TEST(DecideColumns, NamesAllProblemsTogether) {
  const Names lines = problems_of("id,temp,load,y\nr1,NA,1,1\nr2,3,2,2\nr3,,x,3\nr4,5,4,4\nr5,6,5,five\n");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(names_all(lines[0], {"f.csv: ", "data.missing"}));
  EXPECT_TRUE(names_all(lines[1], {"\"temp\"", "2", "line 2"})) << lines[1];
  EXPECT_TRUE(names_all(lines[2], {"\"load\"", "line 4"})) << lines[2];
  EXPECT_TRUE(names_all(lines[3], {"\"y\"", "line 6"})) << lines[3];
}

TEST(DecideColumns, RefuseMissingAndInfiniteValues) {
  for (const std::string text : {"?", "NA", "nan", "NaN", "null", "N/A", "None", "-inf", "1e999", "five"}) {
    const Names lines = problems_of("1,2,3\n4," + text + ",6\n5,6,7\n8,9,1\n");
    ASSERT_EQ(lines.size(), 1U) << text;
    EXPECT_TRUE(names_all(lines[0], {"f.csv: ", "\"column2\"", "\"" + text + "\" in line 2", "data.missing"}));
  }
}

TEST(DecideColumns, ReadsDecimalCommas) {
  const RawTable table = read_csv("a;b;y\n1,5;x;1\n-2;y;2,25\n1.234,5;x;3\n");
  EXPECT_EQ(table.columns[0].values, (Numbers{1.5, -2, 1234.5}));
  EXPECT_EQ(table.columns[1].kind, Kind::category);
  EXPECT_EQ(table.columns[2].values, (Numbers{1, 2.25, 3}));
  EXPECT_FALSE(report_on(table.report, "a").evidence.empty());
}

TEST(DecideColumns, ReadsThousandsMarks) {
  EXPECT_EQ(read_csv("a;y\n1,234.5;1\n12;2\n").columns[0].values, (Numbers{1234.5, 12}));
  EXPECT_EQ(read_csv("a,y\n\"1,234,567\",1\n12,2\n").columns[0].values, (Numbers{1234567, 12}));
  EXPECT_EQ(read_csv("a;y\n1 234 567;1\n12;2\n").columns[0].values, (Numbers{1234567, 12}));
  EXPECT_EQ(read_csv("a;y\n1'234;1\n12;2\n").columns[0].values, (Numbers{1234, 12}));
  EXPECT_EQ(read_csv("a;y\n1\xC2\xA0"
                     "234,5;1\n12;2\n")
                .columns[0]
                .values,
            (Numbers{1234.5, 12}));
}

TEST(DecideColumns, ReadsUnitsPercentAndCurrency) {
  EXPECT_EQ(read_csv("a;y\n$54.26;1\n-$1,000;2\n").columns[0].values, (Numbers{54.26, -1000}));
  EXPECT_EQ(read_csv("a;y\n12 kg;1\n1.5 kg;2\n").columns[0].values, (Numbers{12, 1.5}));
  EXPECT_EQ(read_csv("a;y\n12%;1\n1.5%;2\n").columns[0].values, (Numbers{12, 1.5}));
  EXPECT_EQ(read_csv("a;y\n3,50 \xE2\x82\xAC;1\n1.000,25 \xE2\x82\xAC;2\n").columns[0].values, (Numbers{3.5, 1000.25}));
}

TEST(DecideColumns, ReadsSpreadsheetAndLaboratoryNumbers) {
  EXPECT_EQ(read_csv("a,y\n=\"8.05\",1\n=\"9\",2\n").columns[0].values, (Numbers{8.05, 9}));
  EXPECT_EQ(read_csv("a,y\n(1.28),1\n9,2\n").columns[0].values, (Numbers{-1.28, 9}));
  EXPECT_EQ(read_csv("a,y\n\xE2\x88\x92"
                     "15.1,1\n9,2\n")
                .columns[0]
                .values,
            (Numbers{-15.1, 9}));
  const RawTable bounds = read_csv("a,y\n<0.05,1\n9,2\n0.5,3\n> 100,4\n");
  EXPECT_EQ(bounds.columns[0].values, (Numbers{0.05, 9, 0.5, 100}));
}

TEST(DecideColumns, KeepsAnEqualsSignThatIsNoFormula) {
  const auto categories = read_csv("a,y\n=b,1\nb,2\n=\"c\",3\n=b,4\n").columns[0].categories;

  EXPECT_EQ(std::set<std::string>(categories.begin(), categories.end()), (std::set<std::string>{"=b", "b", "c"}));
}

TEST(DecideColumns, RefusesNumbersThatReadTwoWays) {
  const std::string text = "a;y\n1,234;1\n12;2\n";
  const Names lines = problems_of(text);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(names_all(lines[0], {"f.csv: ", "\"a\"", "line 2", "\"1,234\"", "1.234", "data.decimal"})) << lines[0];

  EXPECT_EQ(read_csv(text, last_is_target(), {.decimal = "comma"}).columns[0].values, (Numbers{1.234, 12}));
  EXPECT_EQ(read_csv(text, last_is_target(), {.decimal = "point"}).columns[0].values, (Numbers{1234, 12}));
}

TEST(DecideColumns, ReadThousandsByTheDecimalMarkOfOthers) {
  EXPECT_EQ(read_csv("a;b;y\n1,234;1.5;1\n12;2.25;2\n").columns[0].values, (Numbers{1234, 12}));
  EXPECT_EQ(read_csv("a;b;y\n1,234;1,5;1\n12;2,25;2\n").columns[0].values, (Numbers{1.234, 12}));
  EXPECT_EQ(problems_of("a;b;c;y\n1,234;1,5;1.5;1\n12;2,25;2.5;2\n").size(), 1U) << "others disagree";
}

TEST(DecideColumns, WarnOfInputsWithLeadingZeros) {
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += (i % 2 == 0 ? "01067," : "80331,") + std::to_string(i * 7 % 61) + "\n";
  const RawTable table = read_csv("plz,y\n" + rows);
  EXPECT_EQ(table.columns[0].kind, Kind::number);
  ASSERT_EQ(table.report.warnings.size(), 1U);
  EXPECT_TRUE(names_all(table.report.warnings[0], {"plz", "data.nominal"}));
  TableOptions nominal = last_is_target();
  nominal.nominal = {"plz"};
  EXPECT_TRUE(read_csv("plz,y\n" + rows, nominal).report.warnings.empty());
  EXPECT_TRUE(read_csv("a,y\n0,1\n0.5,2\n10,4\n").report.warnings.empty());
}

TEST(DecideColumns, WarnOfARowOfTotals) {
  const auto warnings = [](const std::string& text) { return read_csv(text).report.warnings.size(); };
  const std::string rows = "k,a,y\nu,1,2\nv,2,3\nu,3,5\nv,5,8\n";
  EXPECT_EQ(warnings(rows), 0U);
  EXPECT_EQ(warnings(rows + "Total,11,18\n"), 1U);
  EXPECT_EQ(warnings(rows + "total,11,18\ntotal,1,1\n"), 0U) << "a category of two rows";
}

TEST(DecideColumns, RefusesPointsBesideDecimalCommas) {
  const Names lines = problems_of("a;b;y\n1,5;1.234;1\n2,5;12;2\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(names_all(lines[0], {"\"b\"", "line 2", "\"a\"", "data.decimal"})) << lines[0];
  EXPECT_TRUE(problems_of("a;b;y\n1,5;1.2345;1\n2,5;12;2\n").empty()) << "1.2345 has no thousands";
}

TEST(DecideColumns, RefusesPointsThatMayBeBetweenThousands) {
  for (const std::string text : {"a;y\n1.234;5\n989;4\n2.345;6\n", "a,y\n1.234,5\n989,4\n2.345,6\n",
                                 "a;y\n1.234;5\n-12.989;4\n2.345;6\n", "a;y\n1.234 kg;5\n989 kg;4\n2.345 kg;6\n"}) {
    const Names lines = problems_of(text);
    ASSERT_EQ(lines.size(), 1U) << text;
    EXPECT_TRUE(names_all(lines[0], {"\"a\"", "line 2", "\"1.234", "1234", "data.decimal=comma"})) << lines[0];
    EXPECT_EQ(read_csv(text, last_is_target(), {.decimal = "comma"}).columns[0].values[2], 2345) << text;
    EXPECT_EQ(read_csv(text, last_is_target(), {.decimal = "point"}).columns[0].values[2], 2.345) << text;
  }
}

TEST(DecideColumns, ReadsMeasurementsOfThreeDecimals) {
  for (const std::string text :
       {"a,y\n1.234,5\n12.989,4\n2.345,6\n", "a;y\n1.234;5\n0.989;4\n2.345;6\n", "a;y\n1.234;5\n12.5;4\n2.345;6\n",
        "a,y\n1.234,5\n1500,4\n2.345,6\n", "a,y\n1.234,5\n7,4\n1.234,6\n", "a,y\n1.234,5.5\n989,4\n2.345,6\n"})
    EXPECT_EQ(read_csv(text).columns[0].values[0], 1.234) << text;
}

TEST(DecideColumns, ReadPointsBetweenThousandsByCommas) {
  for (const std::string comma : {"0,57", "13,0", "1.234,56"})
    EXPECT_EQ(read_csv("a;b;y\n1.300;" + comma + ";1\n716;5;2\n4.258;6;3\n").columns[0].values,
              (Numbers{1300, 716, 4258}))
        << comma;
}

TEST(DecideColumns, OffersTheDecimalMarkThatReadsTheFile) {
  const std::string text = "a;b;y\n0,57;1.234;1\n2,5;12;2\n";
  const Names lines = problems_of(text);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(names_all(lines[0], {"data.decimal=comma"})) << lines[0];
  EXPECT_FALSE(names_all(lines[0], {"point"})) << lines[0];
  EXPECT_EQ(read_csv(text, last_is_target(), {.decimal = "comma"}).columns[1].values, (Numbers{1234, 12}));
}

// "x" or nothing is a category. A number or nothing would be the mean of equal numbers.
TEST(DecideColumns, AMarkInSomeRowsIsACategory) {
  TableOptions options = last_is_target();
  options.drop_uninformative = true;
  options.missing = "mean";
  const RawTable table = read_csv("a,promo,one,all,y\n1,x,,z,1\n2,,1,z,2\n3,x,1,z,3\n4,,,z,5\n", options);
  EXPECT_EQ(table.columns[1].role, Role::input);
  EXPECT_EQ(table.columns[1].kind, Kind::category);
  EXPECT_EQ(table.columns[2].role, Role::dropped);
  EXPECT_EQ(table.columns[3].role, Role::dropped);
}

TEST(DecideColumns, OtherCommasDecideTheDecimalMark) {
  const RawTable table = read_csv("a;b;y\n1,5;1,234;1\n2,5;5,678;2\n");
  EXPECT_EQ(table.columns[1].values, (Numbers{1.234, 5.678}));
}

TEST(DecideColumns, LeavesOutIdentifiersUnlessNominal) {
  const std::string text = "id,x,y\na,1,1\nb,2,2\nc,3,3\nd,4,4\ne,5,5\n";
  const RawTable table = read_csv(text);
  EXPECT_EQ(table.columns[0].role, Role::dropped);
  EXPECT_EQ(report_on(table.report, "id").type, "identifier");
  EXPECT_FALSE(report_on(table.report, "id").left_out.empty());
  TableOptions named = last_is_target();
  named.nominal = {"id"};
  EXPECT_EQ(read_csv(text, named).columns[0].categories.size(), 5U);
}

TEST(DecideColumns, LeavesOutNoTextOneTextAndManyTexts) {
  EXPECT_EQ(read_csv("1,,3\n1,,3\n").columns[1].role, Role::dropped);
  const RawTable same = read_csv("unit,a,y\nkg,1,1\nkg,2,2\n");
  EXPECT_EQ(same.columns[0].role, Role::dropped);
  EXPECT_EQ(report_on(same.report, "unit").type, "constant");

  std::string text = "word,x,y\n";
  for (int i = 0; i < 600; ++i)
    text += "w" + std::to_string(i % 60) + "," + std::to_string(i) + "," + std::to_string(i) + "\n";
  const RawTable many = read_csv(text);
  EXPECT_EQ(many.columns[0].role, Role::dropped);
  EXPECT_TRUE(names_all(report_on(many.report, "word").left_out, {"60"}));
}

TEST(DecideColumns, MakesDatesParts) {
  const Dataset data = csv_dataset("when,y\n2024-01-01 06:00,1\n2024-02-01 12:00,2\n2024-04-02 18:30,3\n");
  EXPECT_EQ(data.inputs, (Names{"when:days", "when:day_of_month", "when:weekday", "when:hour"}));
  EXPECT_EQ(data.X(0, 1), 1);
  EXPECT_EQ(data.X(2, 1), 2);
  EXPECT_EQ(data.X(0, 2), 1) << "a Monday";
  EXPECT_EQ(data.X(2, 3), 18.5);
  EXPECT_NEAR(data.X(1, 0) - data.X(0, 0), 31.25, 1e-9);
}

TEST(DecideColumns, FindsTheOrderOfDayAndMonth) {
  EXPECT_EQ(read_csv("when,y\n3/31/2024,1\n4/1/2024,2\n").columns[0].order, DateOrder::month_first);
  EXPECT_EQ(read_csv("when,y\n31/3/2024,1\n1/4/2024,2\n").columns[0].order, DateOrder::day_first);
  const RawTable table = read_csv("when,y\n3/31/2024,1\n4/1/2024,2\n");
  EXPECT_EQ(table.columns[0].values[1] - table.columns[0].values[0], 1);
}

TEST(DecideColumns, TellsHowYearsOfTwoDigitsAreRead) {
  const RawTable table = read_csv("when,y\n31/12/99,1\n01/01/00,2\n02/01/00,3\n");
  EXPECT_EQ(table.columns[0].values[1] - table.columns[0].values[0], 1);
  EXPECT_TRUE(names_all(report_on(table.report, "when").evidence, {"1999-12-31", "2000-01-02", "1969", "2068"}));
  const RawTable full = read_csv("when,y\n31/12/1999,1\n01/01/2000,2\n");
  EXPECT_FALSE(names_all(report_on(full.report, "when").evidence, {"2068"}));

  std::string months = "when,y\n";
  for (int year = 1990; year < 2010; ++year) {
    for (int month = 1; month <= 12; ++month)
      months += fmt::format("{}/1/{:02},{}\n", month, year % 100, 7 * month % 5);
  }
  EXPECT_TRUE(time_order_of(csv_dataset(months)));
}

TEST(DecideColumns, ReadTheSecondFileAsTheFirst) {
  TableOptions options = last_is_target();
  RawTable first = read_csv("a;b;y\n1,5;x;1\n2,5;y;2\n", options);
  options.first_file = &first.columns;

  const RawTable second = read_csv("a;b;y\n1.234;7;1\n2.000;x;2\n", options);

  EXPECT_EQ(second.columns[0].values, (Numbers{1234, 2000}));
  EXPECT_EQ(column_of(second, "b").kind, Kind::category);
  EXPECT_FALSE(problems_of("a;b;y\nzero;x;1\n2,0;x;2\n", options).empty());
}

TEST(DecideColumns, OwnTextsReplaceTheUsualMissingValues) {
  TableOptions options = last_is_target("mean");
  options.missing_values = {{"-99"}, {}};
  const RawTable table = read_csv("a,b,y\n1,NA,1\n-99,x,2\n3,NA,3\n", options);
  EXPECT_TRUE(std::isnan(table.columns[0].values[1]));
  EXPECT_EQ(table.columns[1].categories, (Names{"NA", "x"}));
}

TEST(DecideColumns, RefuseARegressionOfTexts) {
  const Names lines = problems_of("a,y\n1,yes\n2,no\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(names_all(lines[0], {"f.csv: ", "\"y\"", "\"yes\"", "line 2", "\"classification\""})) << lines[0];
}

TEST(DecideColumns, OfferNoClassesForADate) {
  const Names lines = problems_of("a,y\n1,2024-01-01\n2,2024-01-02\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(names_all(lines[0], {"classification"})) << lines[0];
}

/// Numbers with decimal commas, and every tenth time the text.
std::string numbers_and(const std::string& text) {
  std::string rows = "a;y\n";
  for (int i = 0; i < 60; ++i) rows += (i % 10 == 3 ? text : std::to_string(i) + ",5") + ";" + std::to_string(i) + "\n";
  return rows;
}

TEST(DecideColumns, ReadTextsAmongNumbersAsMissing) {
  for (const std::string text : {"n.d.", "k.A.", "-", "Unknown", "five", "NA"}) {
    EXPECT_EQ(problems_of(numbers_and(text)).size(), 1U) << text;
    const RawTable table = read_csv(numbers_and(text), last_is_target("mean"));
    ASSERT_EQ(table.rows, 60U);
    EXPECT_EQ(table.columns[0].kind, Kind::number);
    EXPECT_TRUE(std::isnan(table.columns[0].values[3])) << text;
    EXPECT_EQ(table.columns[0].values[4], 4.5);
    const ColumnReport& report = report_on(table.report, "a");
    EXPECT_EQ(report.missing, 6U);
    ASSERT_EQ(report.read_as_missing.size(), 1U);
    EXPECT_EQ(report.read_as_missing[0].text, text);
    EXPECT_EQ(report.read_as_missing[0].count, 6U);
  }
}

TEST(DecideColumns, CountsAllTextsThatAreReadAsMissing) {
  std::string text = "a,y\n";
  for (int i = 0; i < 150; ++i) text += (i % 3 == 0 ? fmt::format("n{}", i) : fmt::format("{}.5", i)) + ",1\n";
  const ColumnReport report = report_on(read_csv(text, last_is_target("mean")).report, "a");
  EXPECT_EQ(report.missing, 50U);
  EXPECT_EQ(report.read_as_missing.size() + report.more_read_as_missing, 50U);
  const auto lines = essence_of(csv_dataset(text, last_is_target("mean")));
  EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) {
    return names_all(line, {"read as missing", "\"n0\" 1, ", "\"n3\" 1", " and "}) &&
           std::stoul(line.substr(line.find(" and ") + 5)) + std::ranges::count(line, ',') + 1 == 50;
  })) << testing::PrintToString(lines);
}

TEST(DecideColumns, WarnsOfTwoDecimalMarksInAColumn) {
  const auto warnings = [](int share, const char* mark) {
    std::string text = "a;y\n";
    for (int i = 0; i < 150; ++i) text += fmt::format("{}{}25;{}\n", i, i % share == 0 ? mark : ".", i);
    return read_csv(text, last_is_target("mean")).report.warnings;
  };
  ASSERT_EQ(warnings(3, ",").size(), 1U);
  EXPECT_TRUE(names_all(warnings(3, ",")[0], {"a: ", "50", "150", "\"0,25\" in line 2"})) << warnings(3, ",")[0];
  EXPECT_EQ(warnings(50, ",").size(), 0U) << "three values";
  EXPECT_EQ(warnings(3, "x").size(), 0U) << "other texts";
}

TEST(DecideColumns, WarnsOfADateFarFromAllOthers) {
  const auto warnings = [](const std::string& far, int most) {
    std::string text = "d,y\n";
    for (int i = 0; i < 40; ++i)
      text += (i % 9 == 1 && i < most ? far : fmt::format("2023-{:02}-{:02}", 1 + i % 12, 1 + i % 28)) + ",1\n";
    return read_csv(text).report.warnings;
  };
  for (const std::string far : {"9999-12-31", "31.12.9999", "1900-01-01", "1970-01-01 00:00"}) {
    ASSERT_EQ(warnings(far, 40).size(), 1U) << far;
    EXPECT_TRUE(names_all(warnings(far, 40)[0], {"d: ", far, "line 3", "data.missing_values"})) << warnings(far, 40)[0];
    EXPECT_EQ(warnings(far, 2).size(), 0U) << "one row";
  }
  EXPECT_EQ(warnings("2019-01-01", 40).size(), 0U);

  std::string few = "d,y\n";
  for (int i = 0; i < 40; ++i) few += (i % 4 == 0 ? "9999-12-31" : fmt::format("2023-0{}-05", i % 4)) + ",1\n";
  EXPECT_EQ(read_csv(few).report.warnings.size(), 1U);
}

TEST(DecideColumns, NameDatesThatAreNotRead) {
  const auto left_out = [](const std::string& before, const std::string& behind) {
    std::string text = "d,x,y\n";
    for (int i = 1; i < 29; ++i) text += fmt::format("{}{:02}{},{},{}\n", before, i, behind, i * 7 % 5, i);
    return report_on(read_csv(text).report, "d").left_out;
  };
  for (const auto& [before, behind] :
       {std::pair("Feb-", ""), std::pair("", "-May"), std::pair("Mon Jan ", " 00:00:00 2010")})
    EXPECT_TRUE(names_all(left_out(before, behind), {"dates", before, behind, "2024-03-31"})) << before << behind;
  EXPECT_FALSE(names_all(left_out("Marx-", ""), {"2024-03-31"}));
}

TEST(DecideColumns, WarnOfNumbersThatSeemToBeDates) {
  const auto warnings = [](int month, int rows) {
    std::string text = "d,x,y\n";
    for (int i = 0; i < 60; ++i) text += fmt::format("2023{:02}{:02},{},{}\n", month, 1 + i % rows, i * 7 % 5, i);
    Dataset data = csv_dataset(text);
    warn_of_unusual_data(data);
    return std::ranges::count_if(data.report.warnings, [](const std::string& line) {
      return names_all(line, {"d: ", "dates", "2024-03-31"});
    });
  };
  EXPECT_EQ(warnings(1, 28), 1);
  EXPECT_EQ(warnings(13, 28), 0) << "there is no month 13";
  EXPECT_EQ(warnings(2, 30), 0) << "there is no 30 February";
  EXPECT_EQ(warnings(1, 19), 0) << "few";
}

TEST(DecideColumns, WordsAreClassesUnlessAmongNumbers) {
  const auto classes = [](const std::string& first) {
    std::string text = "x,state\n" + first;
    for (int i = 0; i < 30; ++i) text += std::to_string(i) + (i % 2 == 0 ? ",None\n" : ",Apnea\n");
    return csv_dataset(text, last_is_target("mean", Task::classification)).classes;
  };
  EXPECT_EQ(classes(""), (Names{"Apnea", "None"}));
  std::string text = "x,state\n";
  for (int i = 0; i < 30; ++i)
    text += (i == 7 ? "None" : std::to_string(i)) + (i % 3 == 0 ? ",None\n" : i % 3 == 1 ? ",Apnea\n" : ",Other\n");
  const Dataset data = csv_dataset(text, last_is_target("mean", Task::classification));
  EXPECT_EQ(data.classes, (Names{"Apnea", "Other"}));
  EXPECT_EQ(data.samples(), 20U);
}

TEST(DecideColumns, KeepLabelsAsWrittenButJoinEqualNumbers) {
  TableOptions options = last_is_target("mean", Task::classification);
  const auto classes = [&](const Names& labels) {
    std::string text = "x,y\n";
    for (int i = 0; i < 60; ++i)
      text += std::to_string(i) + "," + labels[static_cast<std::size_t>(i) % labels.size()] + "\n";
    return csv_dataset(text, options).classes;
  };
  EXPECT_EQ(classes({"1", "1.0", "+1", "2"}), (Names{"1", "2"}));
  EXPECT_EQ(classes({"02138", "2138", "10001"}).size(), 3U);
  EXPECT_EQ(classes({"1.1", "1.10", "1.2"}), (Names{"1.1", "1.10", "1.2"}));
  EXPECT_EQ(classes({"9223372036854775807", "9223372036854775806"}).size(), 2U);
}

TEST(DecideColumns, AccountForEveryTextInTheReport) {
  const RawTable table = read_csv("a,b,y\n1,x,1\nn.d.,,2\n3,x,3\nn.d.,y,4\n5,y,5\n6,x,6\n", last_is_target("mean"));
  EXPECT_EQ(report_on(table.report, "a").missing, 2U);
  EXPECT_EQ(report_on(table.report, "b").missing, 1U);
  EXPECT_EQ(report_on(table.report, "y").role, "target");
  EXPECT_EQ(table.report.columns.size(), table.columns.size());
}

TEST(DecideColumns, CountTextsAmongDatesAsMissing) {
  const std::string text = "d,y\n2020-01-01,1\n2020-02-03,2\nsoon,3\n2020-03-05,4\n2020-13-45,5\n2020-05-05,6\n";
  const RawTable table = read_csv(text, last_is_target("mean"));
  EXPECT_EQ(table.columns[0].kind, Kind::date);
  EXPECT_EQ(report_on(table.report, "d").missing, 2U);
  const Names lines = problems_of(text);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(names_all(lines[0], {"\"d\"", "line 4"})) << lines[0];
}

TEST(DecideColumns, ReadAMissingCodeInEverySpelling) {
  TableOptions options = last_is_target("mean");
  options.missing_values.always.emplace_back("-999");
  const RawTable few = read_csv("a,y\n1.5,1\n-999.0,2\n-999,3\n2.5,4\n", options);
  EXPECT_EQ(report_on(few.report, "a").missing, 2U);
  EXPECT_TRUE(std::isnan(few.columns[0].values[1]) && std::isnan(few.columns[0].values[2]));
  EXPECT_TRUE(names_all(report_on(few.report, "a").evidence, {"1.5", "2.5"}));
}

TEST(DecideColumns, NameTheUnitsThatDiffer) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{}{},{},{}\n", i, i % 7 == 0 ? " g" : " kg", (i * 7) % 11, i);
  TableOptions options = last_is_target("mean");
  options.guess_task = true;
  EXPECT_TRUE(names_all(report_on(read_csv(text, options).report, "a").left_out, {"\"g\"", "\"kg\""}));
}

TEST(DecideColumns, RefuseNamesThatAreRepeated) {
  const std::string text = "a,b,y\n1,u,2\n2,v,3\na,b,y\n4,u,5\n";
  EXPECT_EQ(place_thrown<DataError>([&] { read_csv(text, last_is_target("mean")); }), "f.csv:4");
}

TEST(DecideColumns, LeaveARowThatIsLikeTheNames) {
  EXPECT_EQ(read_csv("site,1,2,y\nx,1,2,0\ny,0,2,4\nz,3,5,1\n", last_is_target("mean")).rows, 3U);
  EXPECT_EQ(read_csv("yes,no,y\nyes,no,1\nno,yes,2\nyes,yes,4\n", last_is_target("mean"), {.header = "yes"}).rows, 3U);
}

TEST(DecideColumns, TakeNoCodeForANumber) {
  const auto kind = [](const std::string& text) {
    return read_csv("a,y\n" + text, last_is_target("mean")).columns[0].kind;
  };
  EXPECT_EQ(kind("1-,1\n2-,2\n1-,3\n2-,4\n"), Kind::category);
  EXPECT_EQ(kind("192.168.100.100,1\n192.168.100.101,2\n192.168.100.100,3\n192.168.100.101,4\n"), Kind::category);
}

TEST(DecideColumns, ShowTheRangeThatTheMarksGive) {
  const RawTable table = read_csv("a;b;y\n1,234;1,5;1\n8,5;2,25;2\n");
  EXPECT_TRUE(names_all(report_on(table.report, "a").evidence, {"1.234", "8.5"}));
}

TEST(DecideColumns, ReadSignsOfSpreadsheets) {
  EXPECT_EQ(read_csv("a;y\n$ (1,001.62);1\n$ 5.00;2\n").columns[0].values, (Numbers{-1001.62, 5}));
  EXPECT_EQ(read_csv("a;y\n1.62-;1\n5;2\n").columns[0].values, (Numbers{-1.62, 5}));
  EXPECT_EQ(read_csv("a;y\n\xE2\x80\x93"
                     "1.62;1\n5;2\n")
                .columns[0]
                .values,
            (Numbers{-1.62, 5}));
  EXPECT_EQ(read_csv("a;y\n<18;1\n18-65;2\n>65;3\n<18;4\n", all_inferred()).columns[0].kind, Kind::category);
}

// A new file for a model.

TEST(NewFile, HasOneDecimalMark) {
  const TableOptions by_point = as_trained_on("x;y;k;t\n1.5;2.125;u;1\n3.5;4.5;v;2\n"),
                     by_comma = as_trained_on("x;y;t\n1,5;2,125;1\n3,5;4.000,5;2\n");
  EXPECT_EQ(read_csv("x;y;k\n4,5;2,125;u\n0,456;4,182;v\n", by_point).columns[1].values, (Numbers{2.125, 4.182}));
  EXPECT_EQ(read_csv("x;y;k\n4.5;2,125;u\n0.456;4,182;v\n", by_point).columns[1].values, (Numbers{2125, 4182}));
  EXPECT_EQ(read_csv("x;y\n4.5;2.125\n0.456;4.182\n", by_comma).columns[1].values, (Numbers{2.125, 4.182}));
  EXPECT_EQ(read_csv("x;y\n4,5;2.125\n5,5;4.182\n", by_comma).columns[1].values, (Numbers{2125, 4182}));
  EXPECT_EQ(problems_of("x;y;k\n4;2,125;u\n5;4,182;v\n", by_point).size(), 1U) << "nothing shows the mark";
}

TEST(NewFile, HasTheUnitsOfTheModel) {
  const TableOptions options = as_trained_on("m;t\n5 kg;1\n7 kg;2\n");
  const RawTable table = read_csv("m\n6 kg\n8\n", options);
  EXPECT_EQ(table.columns[0].values, (Numbers{6, 8}));
  EXPECT_FALSE(table.report.notes.empty()) << "a number without the unit";
  EXPECT_EQ(problems_of("m\n5000 g\n2000 g\n", options).size(), 1U);
  EXPECT_EQ(problems_of("m\n$5\n", options).size(), 1U);
  EXPECT_TRUE(std::isnan(read_csv("m\n5000 g\n2 kg\n", options).columns[0].values[0]));
}

TEST(NewFile, HasThousandsMarksOnlyForCertain) {
  const TableOptions by_comma = as_trained_on("a;b;t\n2,12;1;1\n3,5;2;2\n");
  EXPECT_EQ(problems_of("a\tb\n1.234\t20\n2.345\t30\n", by_comma).size(), 1U);
  EXPECT_EQ(read_csv("a;b\n2,125;20\n2,345;30\n", by_comma).columns[0].values, (Numbers{2.125, 2.345}));
}

TEST(NewFile, HasTheMissingWordsOfTheModel) {
  const TableOptions with_na = as_trained_on("a;k;t\n1;NA;1\n2;EU;2\n3;NA;3\n4;EU;4\n"),
                     without = as_trained_on("a;k;t\n1;US;1\nNA;EU;2\n3;US;3\n4;EU;4\n");
  for (const char* other : {"2;EU\n", "NA;EU\n"}) {
    EXPECT_EQ(read_csv(std::string("a;k\n1;NA\n") + other, with_na).columns[1].categories.front(), "NA") << other;
    EXPECT_TRUE(std::isnan(read_csv(std::string("a;k\n1;NA\n") + other, without).columns[1].values[0])) << other;
  }
}

TEST(NewFile, ShowsTheOrderOfItsDatesIfTheModelDoesNot) {
  const TableOptions options = as_trained_on("d;t\n2024-03-01;1\n2024-04-15;2\n2024-05-30;3\n");
  const RawTable table = read_csv("d\n3/24/2024\n5/6/2024\n", options);
  EXPECT_EQ(table.columns[0].values[1] - table.columns[0].values[0], 43) << "24 March to 6 May";
}

TEST(NewFile, MayHaveNamesThatTheModelDoesNotHave) {
  TableOptions options = as_trained_on("1,2,3\n4,5,6\n");
  const RawTable table = read_csv("a,b\n7,8\n9,10\n", options, {.header = "no"});
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[0].values, (Numbers{7, 9}));
}

TEST(NewFile, ReadsARowAsIfItWereAlone) {
  const TableOptions options = as_trained_on("p;d;t\n$5.50;1/31/2024;1\n$7.00;2/15/2024;2\n$7.00;3/2/2024;2\n");
  const std::string row = "500.00;3/2/2024\n";
  const RawTable alone = read_csv("p;d\n" + row, options);
  for (const char* other : {"$500.00;2/3/2024\n", "n.d.;13/02/2024\n", "7 kg;13/02/2024\n", "$1;soon\n"}) {
    const RawTable beside = read_csv("p;d\n" + row + other, options);
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(beside.columns[j].values[0], alone.columns[j].values[0]) << other;
  }
}

// A column of many rows is stored otherwise, and means the same.

constexpr std::size_t kManyRows = 3 * ColumnTexts::kMostDistinct;

/// Two columns: the texts, and 0.5, 1.5, ...
std::string many_rows(const std::function<std::string(std::size_t)>& text) {
  std::string rows = "a;y\n";
  for (std::size_t i = 0; i < kManyRows; ++i) rows += text(i) + ";" + std::to_string(i) + ".5\n";
  return rows;
}

/// The target with decimal commas.
std::string with_commas(std::string text) {
  for (std::size_t at = 0; (at = text.find(".5\n", at)) != std::string::npos;) text.replace(at, 2, ",5");
  return text;
}

TEST(ManyRows, LateDecimalCommasAreNumbers) {
  const auto late = [](std::size_t i) { return i < kManyRows - 9 ? std::to_string(2 * i) : std::to_string(i) + ",25"; };
  const RawTable table = read_csv(with_commas(many_rows(late)));
  EXPECT_EQ(table.columns[0].values[1], 2);
  EXPECT_EQ(table.columns[0].values.back(), static_cast<double>(kManyRows - 1) + 0.25);
}

TEST(ManyRows, OtherSpellingsOfNumbersAreNumbers) {
  const RawTable table = read_csv(many_rows([](std::size_t i) {
    return i == 9000   ? std::string("(1.28)")
           : i == 9001 ? std::string(
                             "\xE2\x88\x92"
                             "15.5")
           : i == 9002 ? std::string("<0.05")
                       : std::to_string(i) + ".75";
  }));
  EXPECT_EQ(table.columns[0].values[9000], -1.28);
  EXPECT_EQ(table.columns[0].values[9001], -15.5);
  EXPECT_EQ(table.columns[0].values[9002], 0.05);
  EXPECT_EQ(report_on(table.report, "a").missing, 0U);
}

TEST(ManyRows, MayHaveMissingCodes) {
  TableOptions options = last_is_target("mean");
  options.missing_values.always.emplace_back("-999");
  const RawTable table =
      read_csv(many_rows([](std::size_t i) { return i == 70 ? "-999.0" : std::to_string(i) + ".75"; }), options);
  EXPECT_TRUE(std::isnan(table.columns[0].values[70]));
  EXPECT_EQ(report_on(table.report, "a").missing, 1U);
}

TEST(ManyRows, ThatReadTwoWaysAreRefused) {
  const auto thousands = [](const std::string& mark) {
    return [mark](std::size_t i) {
      return std::to_string(1 + i / 1000) + mark + std::to_string(1000 + i % 1000).substr(1);
    };
  };
  std::string beside_whole = many_rows(thousands(","));
  for (std::size_t at = 0; (at = beside_whole.find(".5\n", at)) != std::string::npos;) beside_whole.erase(at, 2);
  EXPECT_EQ(problems_of(beside_whole).size(), 1U);
  EXPECT_EQ(read_csv(beside_whole, last_is_target(), {.decimal = "point"}).columns[0].values[5], 1005);
  EXPECT_EQ(read_csv(many_rows(thousands(","))).columns[0].values[5], 1005) << "the target has decimal points";

  const std::string beside_commas = with_commas(many_rows(thousands(".")));
  EXPECT_EQ(read_csv(beside_commas).columns[0].values[5], 1005) << "the target has decimal commas";
  EXPECT_EQ(problems_of("a;b;y\n1,5;1.234;1\n2,5;1500;2\n").size(), 1U);
}

TEST(GuessTarget, TakesTheLastNumbersOrCategories) {
  const auto target = [](const std::string& text) {
    const RawTable table = read_csv(text, all_inferred());
    return std::ranges::find(table.columns, Role::target, &RawColumn::role)->name;
  };
  EXPECT_EQ(target("a,b\n1,2\n2,5\n3,1\n"), "b");
  EXPECT_EQ(target("a,b,when\n1,2,2024-01-01\n2,5,2024-01-03\n3,1,2024-01-02\n"), "b");
  EXPECT_EQ(target("a,b,id\n1,2,k1\n2,5,k2\n3,1,k3\n5,6,k4\n6,7,k5\n"), "b");
}

TEST(GuessTask, FollowsTheValues) {
  const auto task = [](const Names& labels, const std::string& name = "y") {
    std::string text = "x," + name + "\n";
    for (int i = 0; i < 60; ++i)
      text += std::to_string(i * 7 % 61) + ".5," + labels[static_cast<std::size_t>(i) % labels.size()] + "\n";
    return read_csv(text, all_inferred()).task;
  };
  EXPECT_EQ(task({"a", "b"}), Task::classification);
  EXPECT_EQ(task({"-1", "1"}), Task::classification);
  EXPECT_EQ(task({"0", "1", "2"}, "class"), Task::classification);
  EXPECT_EQ(task({"02138", "02139", "10001"}), Task::classification);
  EXPECT_EQ(task({"1.1", "1.10", "1.2"}), Task::classification);
  EXPECT_EQ(task({"3", "5", "8"}), Task::regression);
  EXPECT_EQ(task({"0.5", "1.5", "2.5"}), Task::regression);
}

TEST(GuessTask, OffersNoOtherForOneValue) {
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += std::to_string(i * 7 % 61) + ".5,7\n";
  TableOptions options = all_inferred();
  options.target = {"y"};
  const Names notes = read_csv("x,y\n" + rows, options).report.notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(names_all(notes[0], {"y is 7"}));
  EXPECT_FALSE(names_all(notes[0], {"data.task"}));
}

TEST(NameInConfig, IsTheNumberWhereTheNameIsUnclear) {
  const Names names{"n\xE9", "n", "n", "y"};
  EXPECT_EQ(name_in_config(names, 0), "1");
  EXPECT_EQ(name_in_config(names, 1), "2");
  EXPECT_EQ(name_in_config(names, 3), "y");
}

}  // namespace
}  // namespace elmx
