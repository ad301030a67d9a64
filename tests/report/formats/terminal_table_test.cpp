#include <gtest/gtest.h>

#include "report/formats/lines_of_text.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const std::string& line : lines_of(text)) most = std::max(most, display_width(line));
  return most;
}

Table two_rows() {
  Table table{"t", "Title", {{"name", "name"}, {"acc", "ACC"}, {"time", "time"}}, {}, {}, {}};
  table.rows.push_back({text_cell("a"), spread_cell(0.5, 0.01, fixed_point(2)), number_cell(1)});
  table.rows.push_back({text_cell("bcd"), spread_cell(0.75, 0.02, fixed_point(2)), number_cell(20)});
  table.rows[1][1].best = true;
  return table;
}

/// Two data sets, each with three sizes, two columns that say nothing at one of them.
Table two_blocks() {
  Table table{"t", "T", {{"set", "set"}, {"ridge", "ridge"}, {"nodes", "nodes"}, {"mu", "mu"}, {"e", "test error"}},
              {},  {},  {}};
  for (const std::string set : {"one", "two"}) {
    for (const double nodes : {10., 20., 30.})
      table.rows.push_back({text_cell(set), number_cell(set == "one" ? 0.1 : nodes), number_cell(nodes),
                            text_cell(set == "one" ? "-" : "0.5"), number_cell(nodes / 7, fixed_point(4))});
  }
  return table;
}

TEST(Terminal, ColumnsAreAlignedUnderTheirHeadings) {
  EXPECT_EQ(to_terminal(two_rows(), {80, false}), R"(Title

name           ACC  time
────  ────────────  ────
a     0.50 ± 0.01      1
bcd   0.75 ± 0.02*    20
)");
}

TEST(Terminal, ColoursTakeNoRoomAndReplaceTheMark) {
  const std::string text = to_terminal(two_rows(), {80, true});

  EXPECT_NE(text.find("\nbcd   \033[1;32m0.75 ± 0.02\033[0m    20\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('*'), std::string::npos);
}

TEST(Terminal, WhatHasNoRoomIsLeftOutFromTheRightAndNamed) {
  EXPECT_EQ(to_terminal(two_rows(), {20, false, "all are in t.csv"}), R"(Title

name           ACC
────  ────────────
a     0.50 ± 0.01
bcd   0.75 ± 0.02*

No room for time:
all are in t.csv.
)");
}

TEST(Terminal, WhatIsWorthMostGetsRoomFirst) {
  Table table = two_rows();
  table.columns[1].worth = Worth::setting;
  table.columns[2].worth = Worth::result;

  const std::string text = to_terminal(table, {12, false});

  EXPECT_NE(text.find("\nname  time\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nNo room for\nACC."), std::string::npos) << text;
}

TEST(Terminal, BothEndsOfAnIntervalAreShownOrNone) {
  Table table{"t", "", {{"name", "name"}, {"low", "95 % from"}, {"high", "to"}, {"p", "p"}}, {}, {}, {}};
  table.rows.push_back({text_cell("first"), number_cell(-11111.5), number_cell(33333.5), number_cell(0.25)});
  table.rows.push_back({text_cell("second"), number_cell(-22222.5), number_cell(44444.5), number_cell(0.5)});
  std::size_t shown = 0, hidden = 0;
  for (std::size_t width = 10; width < 60; ++width) {
    const std::string text = to_terminal(table, {width, false, ""});
    const bool low = text.find("-22222.5") != std::string::npos, high = text.find("44444.5") != std::string::npos;
    EXPECT_EQ(low, high) << width << text;
    ++(low ? shown : hidden);
  }
  EXPECT_GT(shown, 0u);
  EXPECT_GT(hidden, 0u);
}

TEST(Terminal, ATableThatIsTooWideStandsInBlocks) {
  EXPECT_EQ(to_terminal(two_blocks(), {25, false}), R"(T

set one, ridge 0.1
nodes  test error
─────  ──────────
   10      1.4286
   20      2.8571
   30      4.2857

set two, mu 0.5
ridge  nodes  test error
─────  ─────  ──────────
   10     10      1.4286
   20     20      2.8571
   30     30      4.2857
)");
}

TEST(Terminal, ANumberWithAMarkOrAFootnoteStaysInItsColumn) {
  Table table = two_blocks();
  for (auto& row : table.rows) row[1] = number_cell(0.1);
  table.rows[0][1].note = footnote(table, "not certain at all");

  const std::string text = to_terminal(table, {26, false});

  EXPECT_NE(text.find("0.1 [1]     10"), std::string::npos) << text;
  EXPECT_NE(text.find("[1] not certain at all\n"), std::string::npos) << text;
  EXPECT_NE(text.find("set two, ridge 0.1, mu 0.5\n"), std::string::npos) << text;
}

TEST(Terminal, NoLineIsWiderThanItWhateverTheTable) {
  Table table = two_blocks();
  table.title = "A title of several words";
  table.remarks = {"a remark of some length, as they are", "Averyveryverylongwordofanremarkthatisonlyone"};
  table.rows[2][0].text = "a dataset with a name of many words, more than fit";
  table.rows[3][0].text = "ein-ganz-langes-wort-ohne-ein-einziges-leerzeichen";
  table.rows[4][4].note = footnote(table, "a footnote that takes more than one line of it");
  for (const Table& one : {table, two_rows(), two_blocks()}) {
    for (std::size_t width = 20; width <= 90; ++width)
      EXPECT_LE(widest(to_terminal(one, {width, false, "all are in some/folder/tables/t.csv"})), width);
  }
}

TEST(Terminal, AFootnoteOfAColumnWithoutRoomIsLeftOutToo) {
  Table table = two_rows();
  table.rows[0][2].note = footnote(table, "slow");

  EXPECT_EQ(to_terminal(table, {20, false}).find("slow"), std::string::npos);
  EXPECT_NE(to_terminal(table, {80, false}).find("[1] slow"), std::string::npos);
}

TEST(Terminal, ControlCharactersAreEscaped) {
  Table table = two_rows();
  table.rows[0][0].text = "a\033[2J\nb";

  EXPECT_NE(to_terminal(table, {80, false}).find("a\\x1b[2J\\nb"), std::string::npos);
}

TEST(Terminal, AnEmptyTableIsItsHeading) {
  EXPECT_EQ(to_terminal({"t", "", {{"a", "a"}}, {}, {}, {}}, {80, false}), "\na\n─\n");
}

TEST(LinesOfText, WidthIsThatOnATerminal) {
  EXPECT_EQ(display_width("0.5 ± 0.1 α"), 11u);
  EXPECT_EQ(display_width("数据"), 4u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("\xff"), 1u);
}

TEST(LinesOfText, AreBrokenAtBlanksAndLongWordsWithin) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines_of_text("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(lines_of_text("one twothree", 5), (Lines{"one", "twoth", "ree"}));
  EXPECT_EQ(lines_of_text("αβγδ", 3), (Lines{"αβγ", "δ"}));
  EXPECT_EQ(lines_of_text("", 3), (Lines{""}));
}

TEST(ColumnWidths, EachHasItsLeastAndTheFirstGetTheRest) {
  using Widths = std::vector<std::size_t>;
  EXPECT_EQ(column_widths({{3, 5}, {4, 9}}, 20), (Widths{5, 9}));
  EXPECT_EQ(column_widths({{3, 5}, {4, 9}}, 12), (Widths{5, 5}));
  EXPECT_EQ(column_widths({{3, 5}, {4, 9}}, 9), (Widths{3, 4}));
  EXPECT_EQ(column_widths({{3, 5}, {4, 9}}, 8), (Widths{5, 0}));
  EXPECT_EQ(column_widths({{30, 30}}, 8), (Widths{8})) << "at least one, cut";
  EXPECT_EQ(column_widths({{3, 5}, {4, 9}, {4, 4, -1}}, 9), (Widths{3, 0, 4}));
  EXPECT_EQ(column_widths({{3, 5}, {4, 9}, {4, 4, -1}}, 6), (Widths{0, 0, 4}));
}

}  // namespace
}  // namespace elmx
