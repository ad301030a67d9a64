#include "data/csv/fields.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

using Words = std::vector<std::string>;

Words split_row(char separator, std::string_view row) {
  RowSplitter splitter(separator);
  const auto& found = splitter.split(row);
  return {found.begin(), found.end()};
}

/// The first line and the fields of each row.
std::vector<std::pair<std::size_t, Words>> rows_of_text(std::string_view text, std::size_t expected = 0) {
  RowScanner scanner(text, ',', '\n', expected, 1);
  std::vector<std::pair<std::size_t, Words>> rows;
  while (scanner.next()) {
    const auto& fields = scanner.fields();
    rows.emplace_back(scanner.line(), Words(fields.begin(), fields.end()));
  }
  return rows;
}

TEST(RowSplitter, TrimsFieldsWhichMayBeEmpty) {
  EXPECT_EQ(split_row(',', " 1 ,,b c, "), (Words{"1", "", "b c", ""}));
  EXPECT_EQ(split_row('\t', " 1\t \t2\t"), (Words{"1", "", "2", ""}));
  EXPECT_EQ(split_row(';', "1;2"), (Words{"1", "2"}));
  EXPECT_EQ(split_row(',', ""), (Words{""}));
}

TEST(RowSplitter, TakesRunsOfBlanksForOneSeparator) {
  EXPECT_EQ(split_row(' ', "  1 \t 2   3 "), (Words{"1", "2", "3"}));
  EXPECT_TRUE(split_row(' ', "   ").empty());
}

TEST(RowSplitter, TakesQuotesOff) {
  EXPECT_EQ(split_row(',', R"("a, b", "say ""no""",c)"), (Words{"a, b", "say \"no\"", "c"}));
  EXPECT_EQ(split_row(' ', R"(a "c d" e)"), (Words{"a", "c d", "e"}));
  EXPECT_EQ(split_row(',', "'a,b'"), (Words{"'a", "b'"}));
  EXPECT_EQ(split_row(',', R"("",x)"), (Words{"", "x"}));
  EXPECT_EQ(split_row(',', R"(" a ",x)"), (Words{" a ", "x"}));
}

TEST(RowSplitter, KeepsQuotesThatDoNotEncloseAField) {
  EXPECT_EQ(split_row(',', R"("a"b,c)"), (Words{"\"a\"b", "c"}));
  EXPECT_EQ(split_row(',', R"(5" pipe,c)"), (Words{"5\" pipe", "c"}));
  EXPECT_EQ(split_row(',', R"(5.5,",11)"), (Words{"5.5", "\"", "11"}));
}

TEST(RowScanner, JoinsTheLinesOfAQuotedField) {
  const auto rows = rows_of_text("1,\"a\nb\",2\n3,c,4\n", 3);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].second, (Words{"1", "a\nb", "2"}));
  EXPECT_EQ(rows[1].first, 3U);
}

TEST(RowScanner, LetsStrayQuotesSwallowNoRows) {
  const std::string text = "1,\",2\n3,x,4\n5,\",6\n7,y,8\n";
  const auto rows = rows_of_text(text, 3);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[3].first, 4U);
  EXPECT_EQ(rows[0].second, (Words{"1", "\"", "2"}));
}

TEST(RowScanner, TakesAnOpenQuoteAtTheEndLiterally) {
  const auto rows = rows_of_text("1,2\n3,\"4\n5,6\n", 2);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].second, (Words{"3", "\"4"}));
  EXPECT_EQ(rows[2].second, (Words{"5", "6"}));
}

TEST(RowScanner, GivesALongOpenQuoteUp) {
  std::string text = "1,\"2\n";
  for (int i = 0; i < 3000; ++i) text += "3,4\n";
  text += "5,6\"\n";
  EXPECT_EQ(rows_of_text(text, 2).size(), 3002U);
}

}  // namespace
}  // namespace elmx
