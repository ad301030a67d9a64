#include "data/csv/dialect.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "base/error.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

Dialect dialect_of(const std::string& text, const CsvOptions& options = {}, const HeaderHints& hints = {}) {
  return detect_dialect(text, options, hints, "f.csv");
}

TEST(Header, HasNoByteOrderMarks) {
  const std::string mark = "\xEF\xBB\xBF", text = "a,t\n1,2\n3,4\n";
  EXPECT_EQ(dialect_of(mark + mark + text).names, (Names{"a", "t"}));
  EXPECT_EQ(dialect_of(mark + mark + text).bytes_above_rows, 2 * mark.size() + 4);
}

TEST(Header, IsTextAboveNumbers) {
  EXPECT_TRUE(dialect_of("a,b\n1,2\n").header);
  EXPECT_FALSE(dialect_of("a,b\n1,2\n").is_uncertain);
  EXPECT_FALSE(dialect_of("T,2\nI,5\n").header);
  EXPECT_FALSE(dialect_of("1,2\n3,4\n").header);
}

TEST(Header, IsNoRowWithMissingValuesAboveNumbers) {
  EXPECT_FALSE(dialect_of("?,?,yes\n1,2,no\n").header);
  EXPECT_FALSE(dialect_of(",,yes\n1,2,no\n").header);
  EXPECT_FALSE(dialect_of("NA,yes\n1,no\n2,yes\n").header);
  EXPECT_TRUE(dialect_of(",a,y\n0,5,no\n").header) << "row numbers have no name";
}

TEST(Header, OfTextsIsWhatDoesNotOccurBelow) {
  EXPECT_TRUE(dialect_of("cap,smell\nc0,s0\nc1,s0\n").header);
  EXPECT_TRUE(dialect_of("cap,smell\nc0,s0\nc1,s0\n").is_uncertain);
  EXPECT_FALSE(dialect_of("c1,s0\nc0,s0\nc1,s1\n").header);
}

TEST(Header, MayHaveYearsOrNumberColumns) {
  EXPECT_TRUE(dialect_of("region,2019,2020\nR1,4.5,1\nR2,5,2\n").header);
  EXPECT_TRUE(dialect_of(",0,1\n0,4.5,1\n1,5,2\n2,3,4\n").header) << "written by pandas";
  EXPECT_FALSE(dialect_of("1990,1991\n1992,1993\n").header);
}

TEST(Header, MayHaveNumbersAmongItsNames) {
  const std::string reds = "red,0.5,0.25,1\ngreen,0.75,1,2\nred,0.5,3,4\n";
  EXPECT_TRUE(dialect_of("species,1,2,3\n" + reds).header);
  EXPECT_TRUE(dialect_of("species,10,20,30\n" + reds).header);
  EXPECT_FALSE(dialect_of("green,1,2,3\n" + reds).header) << "a value";
  EXPECT_FALSE(dialect_of("blue,1.5,2,3\n" + reds).header);
  EXPECT_TRUE(dialect_of("x1,x2,400,410,420\n0,0.5,1.5,2,1\n1,0.25,1,1,2\n").header);
  EXPECT_FALSE(dialect_of("x,1.5,2.5,3\n1,2,3,4\n").header) << "numbers that are no names";
  EXPECT_FALSE(dialect_of("3,n.d.,7\n1,2,3\n5,6,7\n").header) << "a text among values";
  EXPECT_FALSE(dialect_of("5,<3,9\n1,2,3\n5,6,7\n").header);
  EXPECT_FALSE(dialect_of("-,-,-,a\n1,2,3,4\n5,6,7,8\n").header);
  EXPECT_TRUE(dialect_of("0,1,2\n10,20,30\n50,60,7\n", {}, {{}, {"0", "1", "2"}}).header) << "of the model";
}

TEST(Header, MayHaveDatesOverNumbers) {
  EXPECT_TRUE(dialect_of("country,2020-01-01,2020-02-01\nA,1.5,2\nB,2.5,3\n").header);
  EXPECT_FALSE(dialect_of("a,2020-01-01\na,2020-02-01\nb,2020-03-01\n").header);
}

TEST(Header, MayBeRepeatedBelow) { EXPECT_TRUE(dialect_of("a,k,t\n1,u,2\n2,v,3\na,k,t\n4,u,5\n").header); }

TEST(Separator, IsNotDecidedByATitle) {
  const Dialect dialect = dialect_of("Report of things\nx;k;t\n0,5;red;0,25\n1,62;green;3,25\n2,5;red;1,5\n");
  EXPECT_EQ(dialect.separator, ';');
  EXPECT_EQ(dialect.names, (Names{"x", "k", "t"}));
  EXPECT_EQ(dialect_of("\"sep=;\"\nx;t\n0,5;0,25\n").separator, ';');
}

TEST(NamesOfRows, Differ) {
  EXPECT_TRUE(dialect_of("a,t\nr1,1.5,2\nr2,2.5,3\n").row_names);
  const auto place = [](const std::string& text, const HeaderHints& hints = {}) {
    return place_thrown<DataError>([&] { dialect_of(text, {}, hints); });
  };
  EXPECT_EQ(place("v,t\n0,05,0\n1,15,1\n1,25,2\n"), "f.csv:1") << "decimal commas";
  EXPECT_EQ(place("a,t\nr1,1.5,2\nr2,2.5,3\n", {{}, {"a"}}), "f.csv:1") << "the model had none";
  EXPECT_EQ(place("Results of run\n0.25 3.01 5.30 1.2\n0.5 3.5 1.25 2.5\n"), "f.csv:1") << "a title";
  const Dialect titled = dialect_of("Report: pier 7; Oslo\nx;y;t\n0,5;1,5;2\n1,5;2,5;3\n");
  EXPECT_EQ(titled.names, (Names{"x", "y", "t"}));
}

TEST(NamesOfRows, AreNoPartsOfNumbers) {
  const auto place = [](const std::string& text) { return place_thrown<DataError>([&] { dialect_of(text); }); };
  EXPECT_EQ(place("price,age,y\n1,653,49,0.5\n18,729,43,0.25\n35,497,59,0.75\n"), "f.csv:1") << "thousands";
  EXPECT_EQ(place("# made by hand\n\nprice,y\n3,653,4\n18,729,4\n"), "f.csv:3");
  EXPECT_EQ(place("name,y\nLee, Ann,4\nLee, Bob,5\nRay, Cid,7\n"), "f.csv:1") << "some are equal";
  for (const char* text : {"a,b\n1,0.5,2\n2,1.5,3\n3,2.5,7\n", "a,b\n\"7\",0.5,2\n\"3\",1.5,3\n", "a b\n7 1 2\n3 4 5\n",
                           "a\tb\n7\t1\t2\n3\t4\t5\n", "a;b\nr7;1;2\nr3;4;5\n"})
    EXPECT_TRUE(dialect_of(text).row_names) << text;
}

TEST(Units, StandBetweenNamesAndNumbers) {
  const std::string rows = "0.5,1.5,x\n1.5,2.5,y\n2.5,3.5,x\n";
  for (const char* units : {"cm,kg,-", "[cm],[kg],[-]", "cm,kg,", "cm,kg,text", "cm,-,", "s,s,"}) {
    const Dialect dialect = dialect_of("a,b,label\n" + std::string(units) + "\n" + rows);
    EXPECT_EQ(dialect.units_line, 2U) << units;
    EXPECT_EQ(dialect.lines_above_rows, 2U) << units;
    EXPECT_EQ(dialect.names, (Names{"a", "b", "label"}));
    EXPECT_FALSE(dialect.is_uncertain) << units;
  }
  EXPECT_EQ(dialect_of("made by hand\na,b,label\n\ncm,kg,-\n" + rows).units_line, 4U);
  for (const char* row : {"cm,1,-", "NA,NA,z", "-,-,z", "?,kg,z", "cm,kg,x", ",,"})
    EXPECT_EQ(dialect_of("a,b,label\n" + std::string(row) + "\n" + rows).units_line, 0U) << row << ": a sample";
  EXPECT_EQ(dialect_of("a,b,label\na,b,label\n" + rows).units_line, 0U) << "names that are repeated";
  EXPECT_EQ(dialect_of("a,b,label\ncm,kg,-\n0.5,1.5,x\n").units_line, 0U) << "one row shows nothing";
}

TEST(Header, IsWhatTheOptionsSay) {
  EXPECT_TRUE(dialect_of("1990,1991\n1,2\n", {.header = "yes"}).header);
  EXPECT_FALSE(dialect_of("a,b\n1,2\n", {.header = "no"}).header);
  EXPECT_EQ(dialect_of("a,b\n1,2\n", {.header = "no"}).names, (Names{"column1", "column2"}));
}

TEST(Header, IsTheRowThatHasANamedColumn) {
  EXPECT_TRUE(dialect_of("x,y\nb,c\nx,d\n", {}, {{"y"}, {}}).header);
  EXPECT_TRUE(dialect_of("2019,2020\n1,2\n", {}, {{"2020"}, {}}).header);
  EXPECT_FALSE(dialect_of("1,2\n3,4\n", {}, {{"2"}, {}}).header) << "2 is the second column";
  EXPECT_TRUE(dialect_of("a,b\n", {.header = "yes"}, {}).header);
}

TEST(Header, MayStandInAComment) {
  for (const char* header : {"auto", "no"})
    EXPECT_EQ(dialect_of("# a b t\n1 2 3\n4 5 6\n", {.header = header}).names, (Names{"a", "b", "t"})) << header;
  EXPECT_EQ(dialect_of("# made by hand at noon\n1 2 3\n4 5 6\n").names, (Names{"column1", "column2", "column3"}));
}

TEST(Header, IsTheRowWithTheNamesOfTheModel) {
  EXPECT_TRUE(dialect_of("1990,1991\n5,6\n", {}, {{}, {"1990", "1991"}}).header);
}

TEST(Separator, DividesEveryRowEvenly) {
  EXPECT_EQ(dialect_of("a;b,c\n1;2\n").separator, ';');
  EXPECT_EQ(dialect_of("a\tb,c\n1\t2\n").separator, '\t');
  EXPECT_EQ(dialect_of("x;y,b\nz,c\n").separator, ',');
  EXPECT_EQ(dialect_of("1 2\n3 4\n").separator, ' ');
  EXPECT_EQ(dialect_of("1|2\n3|4\n").separator, '|');
  EXPECT_EQ(dialect_of("1\n2\n").names.size(), 1U);
}

TEST(Separator, IsWhatExcelSays) {
  const Dialect dialect = dialect_of("sep=|\na|b;c|d\n1|2;3|4\n");
  EXPECT_EQ(dialect.separator, '|');
  EXPECT_EQ(dialect.lines_above, 1U);
  EXPECT_EQ(dialect.names, (Names{"a", "b;c", "d"}));
}

TEST(Separator, MayBeSaidToBeATab) { EXPECT_EQ(dialect_of("sep=\t\r\na,x\tb\r\n1,2\t3\r\n").separator, '\t'); }

TEST(Separator, MayStandInQuotedFields) {
  EXPECT_EQ(dialect_of("\"a,b\";c\n\"1,5\";2\n\"2,5\";3\n").separator, ';');
  EXPECT_EQ(dialect_of("a,t\n\"x;y\",1\n\"z;w\",2\n").separator, ',');
}

TEST(LinesAbove, AreCountedUpToTheNames) {
  EXPECT_EQ(dialect_of("Station: pier\n\nLogger: 7\na,b,c\n1,2,3\n4,5,6\n").lines_above, 3U);
  EXPECT_EQ(dialect_of("a,b,c\n1,2,3\n4,5,6\n").lines_above, 0U);
  const Dialect given = dialect_of("x,y,z\na,b,c\n1,2,3\n", {.lines_above = 1});
  EXPECT_EQ(given.names, (Names{"a", "b", "c"}));
  EXPECT_TRUE(given.header);
}

TEST(LinesAbove, MayBeFilledUpWithSeparators) {
  const Dialect dialect = dialect_of("Sales;;;\n;;;\na;b;c;y\nu;1;2;3\nv;2;3;5\nw;4;1;6\n");
  EXPECT_EQ(dialect.lines_above, 2U);
  EXPECT_EQ(dialect.names, (Names{"a", "b", "c", "y"}));
  EXPECT_EQ(dialect_of("1;;;\n2;1;2;3\n3;2;3;5\n").lines_above, 0U) << "a number is no title";
}

TEST(LinesAbove, AreNoRowsOfNumbers) {
  EXPECT_EQ(dialect_of("1,2,3\n4,5,6,7\n8,9,1,2\n").lines_above, 0U);
  EXPECT_FALSE(dialect_of("1,2,3\n4,5,6,7\n8,9,1,2\n").row_names);
}

TEST(RowNames, HaveNoNameInTheFirstRow) {
  const Dialect dialect = dialect_of("a\tb\tt\ng1\t1\t2\t3\ng2\t4\t5\t6\n");
  EXPECT_TRUE(dialect.row_names);
  EXPECT_EQ(dialect.names.size(), 4U);
  EXPECT_EQ(dialect.names.back(), "t");
}

// A second reading with the inferred options.
TEST(LinesAbove, AreTheSameIfGiven) {
  for (const char* text : {"Station: pier\nLogger: 7\na,b,c\n1,2,3\n4,5,6\n", "sep=,\na,b,t\ng1,1,2,3\ng2,4,5,6\n",
                           "# a b c\nat noon\n1 2 3\n4 5 6\n", "# a b c\n1 2 3\n4 5 6\n", "by hand\n#,b\n1,2\n3,4\n",
                           "by hand\nat noon\n#,b,c\n#,x,y\n1,2,3\n"}) {
    const Dialect found = dialect_of(text);
    CsvOptions given;
    given.separator = separator_name(found.separator);
    given.header = found.header ? "yes" : "no";
    given.comment = found.comment;
    given.lines_above = found.lines_above;
    const Dialect again = dialect_of(text, given);
    EXPECT_EQ(again.names, found.names) << text;
    EXPECT_EQ(again.lines_above, found.lines_above) << text;
    EXPECT_EQ(again.comment, found.comment) << text;
    EXPECT_EQ(again.row_names, found.row_names) << text;
  }
}

TEST(ClosedRows, HaveNoLastColumn) {
  EXPECT_EQ(dialect_of("1,2,\n3,4,\n").names.size(), 2U);
  EXPECT_EQ(dialect_of("a,b,\n3,4,\n").names.size(), 2U);
  EXPECT_EQ(dialect_of("a,b\n3,4,\n5,6,\n").names, (Names{"a", "b"}));
  EXPECT_EQ(dialect_of("a,b,c\n3,4,\n5,6,\n").names.size(), 3U) << "the third column has a name";
  EXPECT_EQ(dialect_of("1,2,\n3,4,5\n").names.size(), 3U);
}

TEST(SeparatorName, IsThatOfTheOption) {
  for (const char* name : {"comma", "semicolon", "tab", "pipe", "blank"})
    EXPECT_EQ(separator_name(dialect_of("1,2;3\t4|5 6\n1,2;3\t4|5 6\n", {.separator = name}).separator), name);
}

// Hostile texts: a refusal or a table, at once.

struct Hostile {
  std::string name;
  std::string text;
};

void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

std::string times(std::size_t count, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::vector<Hostile> hostile_texts() {
  using namespace std::string_literals;
  std::mt19937 random(7);
  const auto noise = [&](const std::string& letters, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += letters[random() % letters.size()];
    return text;
  };
  return {{"nothing", ""},
          {"blank_lines", times(1000, "\n")},
          {"carriage_returns", times(1000, "\r")},
          {"blanks", times(100'000, " \n")},
          {"one_cell", "7"},
          {"one_text", "x"},
          {"one_quote", "\""},
          {"quotes", times(100'000, "\"")},
          {"lines_of_quotes", times(50'000, "\"\n")},
          {"open_quote_at_the_end", "a,b\n" + times(1000, "1,2\n") + "3,\"4\n"},
          {"open_quote_at_the_start", "\"a,b\n" + times(200'000, "1,2\n")},
          {"stray_quotes", "a,b\n" + times(50'000, "5\" pipe,1\n\",2\n")},
          {"open_quotes_everywhere", times(50'000, "\"a,1\n")},
          {"open_quotes_and_long_lines", times(30, "\"a," + times(60'000, "1") + "\n")},
          {"separators", times(100'000, ",") + "\n"},
          {"lines_of_separators", times(50'000, ",,,\n")},
          {"growing_rows",
           [] {
             std::string text;
             for (std::size_t i = 1; i < 800; ++i) text += times(i, "1,") + "1\n";
             return text;
           }()},
          {"long_line", std::string(1 << 20, '1')},
          {"long_line_of_fields", times(1 << 19, "1,") + "1\n" + times(1 << 19, "2,") + "2\n"},
          {"long_line_behind_rows", "a,b\n1,2\n3," + std::string(1 << 20, '4') + "\n"},
          {"nul_bytes", std::string(10'000, '\0')},
          {"nul_bytes_in_fields", "a,b\n1\0,2\n3,\0\n"s},
          {"mixed_line_ends", "a,b\r\n1,2\n3,4\r5,6\r\n\r7,8\n\n\r9,1"},
          {"comments_alone", times(1000, "# x\n")},
          {"comment_character_alone", "#"},
          {"sep_alone", "sep=,"},
          {"sep_and_nothing", "sep=,\n"},
          {"sep_of_a_quote", "sep=\"\na\"b\n1\"2\n"},
          {"half_of_utf16", "\xFF\xFE\0"s},
          {"noise", noise(",;\t| \"\n\r'#1a.", 200'000)},
          {"noise_of_bytes",
           [&] {
             std::string text(200'000, '\0');
             for (char& c : text) c = static_cast<char>(random());
             return text;
           }()},
          {"noise_of_quotes", noise("\",\n", 200'000)},
          {"noise_of_few_line_ends", noise("1,\"" + std::string(300, '2') + "\n", 500'000)}};
}

class HostileText : public testing::TestWithParam<Hostile> {};

TEST_P(HostileText, IsRefusedOrReadAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* header : {"auto", "yes", "no"}) {
    TableOptions options = all_inferred();
    try {
      const RawTable table = read_csv(GetParam().text, options, {.header = header});
      EXPECT_GT(table.rows, 0U);
      for (const RawColumn& column : table.columns) {
        EXPECT_TRUE(column.role == Role::dropped || column.values.size() == table.rows);
      }
    } catch (const DataError& error) {
      EXPECT_TRUE(error.place().starts_with("f.csv"));
    } catch (const ConfigError&) {
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 3.0) << "a second for each way to read";
}

INSTANTIATE_TEST_SUITE_P(Texts, HostileText, testing::ValuesIn(hostile_texts()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace elmx
