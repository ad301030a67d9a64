#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "data/formats/text_formats.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

const std::string kHeader =
    "% a comment\r\n\r\n@relation mv\r\n@attribute x1 numeric\r\n@ATTRIBUTE 'x 2' {green, 'dark red',blue}\r\n"
    "@attribute y real\r\n@data\r\n";

std::string arff_refusal(const std::string& text) {
  return thrown<DataError>([&] { read_arff(text); });
}

std::string arff_place(const std::string& text) {
  return place_thrown<DataError>([&] { read_arff(text); });
}

TEST(Arff, ReadsDeclaredColumns) {
  const RawTable table = read_arff(kHeader + "1, blue, -2\r\n% between\r\n 3.5,'dark red',4e1\r\n");

  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3.5}));
  EXPECT_EQ(table.columns[1].name, "x 2");
  EXPECT_EQ(table.columns[1].kind, Kind::category);
  EXPECT_EQ(table.columns[1].categories, (Names{"green", "dark red", "blue"}));
  EXPECT_EQ(table.columns[1].values, (Numbers{2, 1}));
  EXPECT_EQ(table.columns[2].values, (Numbers{-2, 40}));
}

TEST(Arff, ReadsRowsThatAreSeparatedByBlanks) {
  const RawTable table = read_arff("@relation r\n@attribute a real\n@attribute y integer\n@data\n 1  2 \n3\t4\n");
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3}));
  EXPECT_EQ(table.columns[1].values, (Numbers{2, 4}));
}

TEST(Arff, LearnsTheCategoriesOfStrings) {
  const RawTable table = read_arff("@relation r\n@attribute s string\n@attribute y real\n@data\n'b c',1\na,2\n");
  EXPECT_EQ(table.columns[0].categories, (Names{"b c", "a"}));
  EXPECT_FALSE(table.columns[0].declared);
}

TEST(Arff, ReadsEscapedQuotesAndBraces) {
  TableOptions options = last_is_target("refuse", Task::classification);
  const RawTable table = read_arff(
      "@relation r\n@attribute 'it\\'s' numeric\n@attribute k {'don\\'t','a,b','c}d'}\n@data\n1,'don\\'t'\n2,'a,b'\n"
      "3,'c}d'\n4,\"don't\"\n",
      options);
  EXPECT_EQ(table.columns[0].name, "it's");
  EXPECT_EQ(table.columns[1].categories, (Names{"don't", "a,b", "c}d"}));
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 1, 2, 0}));
}

TEST(Arff, ReadsSparseRows) {
  TableOptions options = last_is_target("refuse", Task::classification);
  const RawTable table = read_arff(
      "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute k {hi,lo}\n@data\n{0 1.5, 2 lo}\n{1 "
      "2.5}\n{}\n",
      options);
  EXPECT_EQ(table.columns[0].values, (Numbers{1.5, 0, 0}));
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 2.5, 0}));
  EXPECT_EQ(table.columns[2].values, (Numbers{1, 0, 0}));
}

TEST(Arff, ReadsDates) {
  const RawTable table = read_arff(
      "@relation r\n@attribute at date \"yyyy-MM-dd\"\n@attribute y real\n@data\n\"2021-03-01\",1\n\"2021-03-02\",2\n");
  EXPECT_EQ(table.columns[0].kind, Kind::date);
  EXPECT_EQ(table.columns[0].values[1] - table.columns[0].values[0], 1);
}

RawColumn dates_of(const std::string& format, const std::string& first, const std::string& second,
                   const TableOptions& options = last_is_target()) {
  return read_arff("@relation r\n@attribute at date " + format + "\n@attribute y real\n@data\n\"" + first + "\",1\n\"" +
                       second + "\",2\n",
                   options)
      .columns[0];
}

TEST(Arff, ReadsDatesInTheDeclaredOrder) {
  const double day = dates_of("yyyy-MM-dd", "2021-02-01", "2021-03-01").values[0];
  for (const char* format : {"\"MM/dd/yyyy\"", "'MM/dd/yyyy'", "MM/dd/yyyy % remark", "\"M/d/yy\"", "\"mm/dd/yyyy\""}) {
    const RawColumn column = dates_of(format, "02/01/2021", "03/01/2021");
    EXPECT_EQ(column.order, DateOrder::month_first) << format;
    EXPECT_EQ(column.values, (Numbers{day, day + 28})) << format;
  }
  for (const char* format : {"\"dd/MM/yyyy\"", "\"dd.MM.yyyy HH:mm\"", "\"HH:mm dd.MM.yyyy\""}) {
    const RawColumn column = dates_of(format, "01/02/2021", "01/03/2021");
    EXPECT_EQ(column.order, DateOrder::day_first) << format;
    EXPECT_EQ(column.values, (Numbers{day, day + 28})) << format;
  }
}

TEST(Arff, ReadsDatesThatBeginWithTheYear) {
  const Numbers plain = dates_of("", "2021-02-01", "2021-03-01").values;
  EXPECT_EQ(dates_of("\"yyyy-MM-dd'T'HH:mm:ss\"", "2021-02-01T00:00:00", "2021-03-01T00:00:00").values, plain);
  EXPECT_EQ(dates_of("yyyy/MM/dd", "2021/02/01", "2021/03/01").values, plain);
}

TEST(Arff, DeclaredOrderHoldsForItsOwnFile) {
  RawTable first = read_arff("@attribute at date dd/MM/yyyy\n@attribute y real\n@data\n13/02/2021,1\n14/03/2021,2\n");
  TableOptions options = last_is_target();
  options.first_file = &first.columns;
  EXPECT_EQ(dates_of("MM/dd/yyyy", "02/13/2021", "03/14/2021", options).values, first.columns[0].values);
}

TEST(Arff, SkipsCommentsBehindDeclarationsAndRows) {
  const RawTable table = read_arff(
      "@relation r % one\n@attribute a real % two\n@attribute k {p, '% q', 5%} % three\n@attribute y real\n@data % "
      "four\n"
      "1,p,2 % five, with 'a comma\n3,'% q',4\t%six\n5,5%,6,% seven\n{0 7, 1 '% q', 2 8} % eight\n");
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3, 5, 7}));
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 1, 2, 1}));
  EXPECT_EQ(table.columns[2].values, (Numbers{2, 4, 6, 8}));
}

TEST(Arff, KeepsPercentSignsBehindDoubledQuotes) {
  const RawTable table =
      read_arff("@attribute s string\n@attribute y real\n@data\n'it''s % a',1\n'don\\'t % b',2 % c\n");
  EXPECT_EQ(table.columns[0].categories, (Names{"it's % a", "don't % b"}));
}

TEST(Arff, SkipsCommentsBehindRowsSeparatedByBlanks) {
  const RawTable table = read_arff("@attribute a real\n@attribute y real\n@data\n1 2 % a, b\n3\t4\n");
  EXPECT_EQ(table.columns[1].values, (Numbers{2, 4}));
}

TEST(Arff, TakesOwnTextsForMissingValues) {
  TableOptions options = last_is_target("mean");
  options.missing_values = {{"-99"}, {}};
  const RawTable table = read_arff(kHeader + "-99,blue,1\n-9,,2\n", options);
  EXPECT_TRUE(std::isnan(table.columns[0].values[0]));
  EXPECT_EQ(table.columns[0].values[1], -9);
  EXPECT_TRUE(std::isnan(table.columns[1].values[1])) << "an empty field is missing all the same";
}

TEST(Arff, KeepsDeclaredWordsThatMeanNothingElsewhere) {
  TableOptions options = last_is_target();
  options.missing_values = MissingValues();
  const RawTable table = read_arff("@relation r\n@attribute c {NA, b}\n@attribute y real\n@data\nNA,1\nb,2\n", options);
  EXPECT_EQ(table.columns[0].values, (Numbers{0, 1}));
}

TEST(ArffRefuses, ValuesThatItsHeaderDoesNotDeclare) {
  EXPECT_TRUE(names_all(arff_refusal(kHeader + "1,blu,2\n"), {"f.arff: ", "line 8", "\"blu\"", "\"blue\""}));
  EXPECT_TRUE(names_all(arff_refusal(kHeader + "1,BLUE,2\n"), {"f.arff: ", "line 8", "\"BLUE\""}));
  EXPECT_TRUE(names_all(arff_refusal(kHeader + "1,blue,x\n"), {"f.arff: ", "line 8", "\"x\""}));
  EXPECT_EQ(arff_place(kHeader + "1,blue,2\n1,blue\n"), "f.arff:9");
  EXPECT_EQ(arff_place(kHeader), "f.arff");
}

TEST(ArffRefuses, DateFormatsThatCannotBeRead) {
  for (const std::string format : {"yyyy-dd-MM", "dd/MM", "MM-dd HH:mm", "MM.dd.yyyy", "yy/MM/dd", "dd/yyyy/MM",
                                   "MM-yyyy-dd", "yyyyMMdd", "yyyy-MM"}) {
    const std::string text = "@relation r\n@attribute at date \"" + format + "\"\n@attribute y real\n@data\n";
    EXPECT_TRUE(names_all(arff_refusal(text + "2021-02-01,1\n"), {"f.arff:2: ", "\"at\"", "\"" + format + "\""}));
  }
}

TEST(ArffRefuses, WeightsOfRows) {
  const std::string header = "@relation r\n@attribute a numeric\n@attribute y real\n@data\n";
  for (const char* row : {"1,2, {2}", "1,2,{0.5}", "1 2 {2}", "{0 1, 1 2}, {2}"})
    EXPECT_EQ(arff_place(header + "0,0\n" + row + "\n"), "f.arff:6") << row;
}

TEST(ArffRefuses, DuplicateCategories) {
  EXPECT_TRUE(names_all(arff_refusal("@relation r\n@attribute c {a,b,a}\n@attribute y real\n@data\na,1\n"),
                        {"f.arff:2: ", "\"c\"", "\"a\""}));
}

TEST(ArffRefuses, DamagedSparseRows) {
  const std::string header = "@relation r\n@attribute a numeric\n@attribute y real\n@data\n";
  for (const char* row : {"{0 1", "{2 1}", "{x 1}", "{0 1,, 1 2}", "{-1 1}", "{0 1, 1 2} 3", "{0 1, 0 2}"})
    EXPECT_EQ(arff_place(header + row + "\n"), "f.arff:5") << row;
}

TEST(ArffRefuses, InvalidHeaders) {
  for (const char* text :
       {"1,2\n", "@data\n1\n", "@attribute c {a, b\n@data\n", "@attribute c {a, 'b}\n@data\n", "@attribute\n"})
    EXPECT_EQ(arff_place(text), "f.arff:1") << text;
  EXPECT_EQ(arff_place("@relation r\n"), "f.arff");
  EXPECT_TRUE(names_all(arff_refusal("@attribute t relational\n@data\n"), {"f.arff:1: ", "\"t\"", "\"relational\""}));
}

const std::string kKeel =
    "@relation ring\n@attribute A1 real [-6.9, 6.5]\n@attribute A2 integer[0,9]\n@attribute Unused real [0, 1]\n"
    "@attribute Class{0, 1}\n@inputs A1, A2\n@outputs Class\n@data\n1.5, 2, 0.5, 1\n2.5, <null>, 0.5, 0\n";

TEST(Keel, TakesInputsAndOutputsFromTheHeader) {
  TableOptions options;
  options.task = Task::classification;
  options.missing = "drop_rows";

  const RawTable table = read_arff(kKeel, options);

  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[0].values, (Numbers{1.5, 2.5}));
  EXPECT_EQ(table.columns[1].name, "A2");
  EXPECT_EQ(table.columns[1].values[0], 2);
  EXPECT_EQ(table.columns[2].role, Role::dropped);
  EXPECT_EQ(table.columns[3].role, Role::target);
  EXPECT_EQ(table.columns[3].values, (Numbers{1, 0}));
}

TEST(Keel, RefusesInputsThatAreNoAttributes) {
  std::string text = kKeel;
  text.replace(text.find("@inputs A1, A2"), 14, "@inputs A1, a2");
  EXPECT_TRUE(names_all(thrown<DataError>([&] { read_arff(text, {}); }), {"f.arff: ", "@inputs", "\"a2\"", "\"A2\""}));
}

TEST(Keel, LetsTheOptionsNameAnotherTarget) {
  TableOptions options = last_is_target("mean");
  options.target = {"A1"};

  const RawTable table = read_arff(kKeel, options);

  EXPECT_EQ(table.columns[0].role, Role::target);
  EXPECT_EQ(table.columns[3].role, Role::input);
}

TEST(Keel, WithoutOutputsNeedsATarget) {
  const std::string text = "@relation r\n@attribute a real [0,1]\n@data\n1\n";
  EXPECT_EQ(place_thrown<ConfigError>([&] { read_arff(text, {}); }), "/data/target");
}

}  // namespace
}  // namespace elmx
