#include "data/inspect/settle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/csv/csv_options.hpp"
#include "data/inspect/problems.hpp"
#include "data/table/assemble.hpp"
#include "data/test_files.hpp"

// Files as people have them, through the reader of delimited text.

namespace elmx {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

TableOptions options_of(const std::string& missing = "refuse") {
  TableOptions options;
  options.target = {"-1"};
  options.missing = missing;
  return options;
}

RawTable read(const std::string& text, const TableOptions& options = options_of(),
              const CsvOptions& layout = {}) {
  return read_delimited({"f.csv", text, ""}, options, layout);
}

Names problems(const std::string& text, const TableOptions& options = options_of()) {
  try {
    read(text, options);
  } catch (const TableProblems& error) {
    return error.lines();
  }
  return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

ColumnType type_of(const Names& values) {
  ColumnProfile profile;
  for (std::size_t i = 0; i < values.size(); ++i) profile.add(values[i], i + 1, MissingValues::usual());
  return profile.type();
}

Names numbered(const std::string& begin, int count, int period = 1000) {
  Names values;
  for (int i = 0; i < count; ++i) values.push_back(begin + std::to_string(i % period + 1));
  return values;
}

TEST(ColumnTypes, AreFoundFromAllValues) {
  EXPECT_EQ(type_of({"1", "2.5", "NA", "-1e3"}), ColumnType::number);
  EXPECT_EQ(type_of({"1,5", "2", "1.234,5"}), ColumnType::number);
  EXPECT_EQ(type_of({"1", "2", "x", "4"}), ColumnType::number) << "most are";
  EXPECT_EQ(type_of({"a", "b", "a", "b", "a", "a"}), ColumnType::category);
  EXPECT_EQ(type_of({"kg", "kg", "kg"}), ColumnType::constant);
  EXPECT_EQ(type_of({"0", "0"}), ColumnType::constant);
  EXPECT_EQ(type_of({"", "NA"}), ColumnType::empty);
  EXPECT_EQ(type_of({"2024-01-01", "2024-01-02", "?"}), ColumnType::date);
  EXPECT_EQ(type_of(numbered("r", 12)), ColumnType::identifier);
  EXPECT_EQ(type_of(numbered("r", 40, 25)), ColumnType::identifier) << "most rows have their own";
  EXPECT_EQ(type_of(numbered("r", 100, 25)), ColumnType::category);
  EXPECT_EQ(type_of(numbered("", 12)), ColumnType::identifier) << "row numbers";
  EXPECT_EQ(type_of(numbered("", 9)), ColumnType::number) << "too few to tell";
}

TEST(Settle, ReportsAllColumnsTogether) {
  const Names lines = problems(
      "id,when,temp,load,y\nr1,2024-01-01,NA,1,1\nr2,2024-01-02,3,2,2\nr3,2024-01-03,,x,3\nr4,2024-01-04,5,4,4\n"
      "r5,2024-01-05,6,5,5\nr6,2024-01-06,7\n");

  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "f.csv: 5 problems");
  EXPECT_TRUE(has(lines[1], "line 7: 3 columns; 5 expected")) << lines[1];
  EXPECT_TRUE(has(lines[2], R"(column "id": texts as of an identifier, 5 in 5 rows ("r1" in line 2); "drop": ["id"])"))
      << lines[2];
  EXPECT_TRUE(has(lines[3], R"(column "when": dates or times ("2024-01-01" in line 2); "drop": ["when"])")) << lines[3];
  EXPECT_TRUE(has(lines[4], R"(column "temp": 2 missing values ("NA" in line 2); a value is expected)")) << lines[4];
  EXPECT_TRUE(has(lines[5], R"(column "load": 1 of 5 values is no number, the first "x" in line 4)")) << lines[5];
  EXPECT_EQ(lines[6], R"(  in the config: "data": {"drop": ["id","when"], "nominal": ["load"], "missing": "mean"})");
}

TEST(Settle, TheSuggestedConfigReadsTheFile) {
  const std::string text =
      "id,when,temp,y\nr1,2024-01-01,NA,1\nr2,2024-01-02,3,2\nr3,2024-01-03,4,3\nr4,2024-01-04,5,4\n"
      "r5,2024-01-05,6,5\n";
  const Content content{"f.csv", text, ""};
  TableOptions options = options_of();
  DelimitedColumns file = inspect_delimited(content, options, {});
  assign_roles(file.columns, options);

  const SuggestedOptions suggested = suggest_options(file.columns, file.found, options);
  options.drop = suggested.drop;
  options.nominal = suggested.nominal;
  options.missing = suggested.missing;

  EXPECT_EQ(read(text, options).rows, 5U);
  EXPECT_EQ(suggested.drop, (Names{"id", "when"}));
  EXPECT_EQ(suggested.missing, "mean");
}

TEST(Settle, ReadsDecimalCommasWhereAllValuesSaySo) {
  const RawTable table = read("a;b;y\n1,5;x;1\n-2;y;2,25\n1.234,5;x;3\n");
  EXPECT_EQ(table.columns[0].values, (Numbers{1.5, -2, 1234.5}));
  EXPECT_EQ(table.columns[1].kind, Kind::category);
  EXPECT_EQ(table.columns[2].values, (Numbers{1, 2.25, 3}));
  ASSERT_EQ(table.notes.size(), 2U);
  EXPECT_TRUE(has(table.notes[0], R"(read with decimal commas: a ("1,5" is 1.5), y ("2,25" is 2.25))"))
      << table.notes[0];
  EXPECT_TRUE(has(table.notes[1], "texts taken for categories: b (2)")) << table.notes[1];
}

TEST(Settle, ReadsThousandsWhereAllValuesSaySo) {
  EXPECT_EQ(read("a;y\n1,234.5;1\n12;2\n").columns[0].values, (Numbers{1234.5, 12}));
  EXPECT_EQ(read("a,y\n\"1,234,567\",1\n12,2\n").columns[0].values, (Numbers{1234567, 12}));
}

TEST(Settle, RefusesNumbersThatReadTwoWaysUnlessTheConfigSays) {
  const std::string text = "a;y\n1,234;1\n12;2\n";
  const Names lines = problems(text);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(has(lines[0], R"(f.csv: column "a": "1,234" in line 2 reads two ways: 1.234 or 1234; "decimal": )"))
      << lines[0];

  CsvOptions layout;
  layout.decimal = "comma";
  EXPECT_EQ(read(text, options_of(), layout).columns[0].values, (Numbers{1.234, 12}));
  layout.decimal = "point";
  EXPECT_EQ(read(text, options_of(), layout).columns[0].values, (Numbers{1234, 12}));
}

// In a file of decimal commas 1.234 may be 1234.
TEST(Settle, RefusesPointsBesideDecimalCommas) {
  const Names lines = problems("a;b;y\n1,5;1.234;1\n2,5;12;2\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(has(lines[0], R"(column "b": "1.234" in line 2 reads two ways, and "a" has decimal commas)")) << lines[0];
  EXPECT_TRUE(problems("a;b;y\n1,5;1.2345;1\n2,5;12;2\n").empty()) << "1.2345 has no thousands";
  EXPECT_EQ(problems("a;b;y\n1,5;1,234;1\n2,5;5,678;2\n").size(), 1U) << "said once of a column";
}

TEST(Settle, ReadsLineEndsInQuotes) {
  const RawTable table = read("a,b,y\n1,\"x\ny\",2\n3,\"z, \"\"q\"\"\r\n\",4\n5,z,6\n");
  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(table.columns[1].categories, (Names{"x\ny", "z, \"q\"\r\n", "z"}));
  EXPECT_EQ(table.columns[2].values, (Numbers{2, 4, 6}));
  EXPECT_EQ(read("\"a\nb\";y\n1;2\n").columns[0].name, "a\nb");
}

TEST(Settle, NeverEncodesDatesOrIdentifiersThatTheConfigDoesNotName) {
  const std::string text = "id,y\na,1\nb,2\nc,3\nd,4\ne,5\n";
  EXPECT_EQ(problems(text).size(), 1U);
  TableOptions named = options_of();
  named.nominal = {"id"};
  EXPECT_EQ(read(text, named).columns[0].categories.size(), 5U);
}

TEST(Settle, LeavesOutATextThatIsTheSameInAllRows) {
  const RawTable table = read("unit,a,y\nkg,1,1\nkg,2,2\n");
  EXPECT_EQ(table.columns[0].role, Role::dropped);
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_TRUE(has(table.notes[0], R"(left out, the same text in all rows: unit ("kg"))")) << table.notes[0];
}

TEST(Settle, TheSecondFileIsReadAsTheFirst) {
  TableOptions options = options_of();
  RawTable first = read("a;b;y\n1,5;x;1\n2,5;y;2\n", options);
  options.first_file = std::make_shared<const std::vector<RawColumn>>(first.columns);

  const RawTable second = read("a;b;y\n1.234;7;1\n2.000;x;2\n", options);

  EXPECT_EQ(second.columns[0].values, (Numbers{1234, 2000}));
  EXPECT_EQ(second.columns[1].categories, (Names{"7", "x"}));
  EXPECT_FALSE(problems("a;b;y\nzero;x;1\n2,0;x;2\n", options).empty());
}

// A name that a config cannot hold, or that two columns have, is no name to suggest.
TEST(Settle, SuggestsNumbersOfColumnsWithoutANameOfTheirOwn) {
  const std::string text = "n\xe9,n,n,y\na,p,2,1\nb,q,3,2\nc,r,4,3\nd,s,5,4\ne,t,6,5\n";
  const Content content{"f.csv", text, ""};
  TableOptions options = options_of();
  DelimitedColumns file = inspect_delimited(content, options, {});
  assign_roles(file.columns, options);
  EXPECT_EQ(suggest_options(file.columns, file.found, options).drop, (Names{"1", "2"}));
}

TEST(Settle, OwnSpellingsStandInPlaceOfTheUsualOnes) {
  TableOptions options = options_of("mean");
  options.missing_values = MissingValues({"-99"});
  const RawTable table = read("a,b,y\n1,NA,1\n-99,x,2\n3,NA,3\n", options);
  EXPECT_TRUE(std::isnan(table.columns[0].values[1]));
  EXPECT_EQ(table.columns[1].categories, (Names{"NA", "x"}));
}

TEST(Settle, ARegressionOfTextsIsRefusedWithTheTask) {
  const Names lines = problems("a,y\n1,yes\n2,no\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(has(lines[0], R"(target "y": 2 of 2 values are no numbers, the first "yes" in line 2)")) << lines[0];
  EXPECT_TRUE(has(lines[0], "\"classification\"")) << lines[0];
}

/// Numbers with decimal commas, and every tenth time the text.
std::string numbers_and(const std::string& text) {
  std::string rows = "a;y\n";
  for (int i = 0; i < 60; ++i) rows += (i % 10 == 3 ? text : std::to_string(i) + ",5") + ";" + std::to_string(i) + "\n";
  return rows;
}

TEST(Settle, FewTextsAmongNumbersArePutDownToMissingValues) {
  for (const std::string text : {"n.d.", "k.A.", "-", "Unknown", "five"}) {
    const Names lines = problems(numbers_and(text));
    ASSERT_EQ(lines.size(), 1U) << text;
    const std::string first = "6 of 60 values are no numbers, the first \"" + text + "\" in line 5";
    EXPECT_TRUE(has(lines[0], first)) << "the decimal commas are right: " << lines[0];
    TableOptions options = options_of();
    const Content content{"f.csv", numbers_and(text), ""};
    DelimitedColumns file = inspect_delimited(content, options, {});
    EXPECT_EQ(file.found.columns[0].type(), ColumnType::number);
    assign_roles(file.columns, options);
    const SuggestedOptions suggested = suggest_options(file.columns, file.found, options);
    EXPECT_EQ(suggested.missing_values, Names{text});
    EXPECT_EQ(suggested.missing, "mean");
    EXPECT_EQ(suggested.nominal, Names{});
    EXPECT_EQ(suggested.drop, Names{});
  }
}

TEST(Settle, TheOptionsThatLetAFileBeReadTakePlaceholdersForMissingValues) {
  const Names lines = problems("a,b,y\n1,NA,1\n2,5,2\nn.d.,3,3\n4,4,4\n");
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(has(lines.back(), R"("missing_values": ["NA","n.d."], "missing": "mean")")) << lines.back();
}

TEST(Placeholders, AreWhatPeopleWriteForNoValue) {
  for (const char* text : {"-", "...", "n.d.", "k. A.", "N/A", "Unknown", "keine Angabe"})
    EXPECT_TRUE(is_placeholder(text)) << text;
  for (const char* text : {"97%", "A", "crew", "3A", "<5", "ja"}) EXPECT_FALSE(is_placeholder(text)) << text;
}

TEST(Placeholders, AreTextsThatAConfigCanSay) {
  ColumnProfile profile;
  for (const char* text : {"1", "2", "3", "4", "\xAD"}) profile.add(text, 1, MissingValues::usual());
  EXPECT_EQ(profile.placeholders(Decimal::plain), Names{});
}

TEST(Placeholders, CodesOfCategoriesStayCategories) {
  Names codes;
  for (int i = 0; i < 100; ++i) codes.push_back(i % 10 == 0 ? "X" : std::to_string(i % 9));
  ColumnProfile profile;
  for (std::size_t i = 0; i < codes.size(); ++i) profile.add(codes[i], i + 1, MissingValues::usual());
  EXPECT_EQ(profile.placeholders(Decimal::plain), Names{});
}

TEST(Units, AreSeenAtNumbers) {
  for (const char* text : {"97%", "$8,394", "12 kg", "€ 3,50"}) EXPECT_TRUE(is_number_with_unit(text)) << text;
  for (const char* text : {"97", "K-0001", "r12", "kg", "1-2 kg"}) EXPECT_FALSE(is_number_with_unit(text)) << text;
}

}  // namespace
}  // namespace elmx
