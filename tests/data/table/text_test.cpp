#include "data/values/text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace elmx {
namespace {

using Words = std::vector<std::string>;

Words split(char separator, std::string_view line, std::string_view quotes = "\"") {
  Fields fields(separator, quotes);
  const auto& found = fields.split(line);
  return {found.begin(), found.end()};
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number("-1.5e+003"), -1500);
  EXPECT_EQ(parse_number("+2"), 2);
  EXPECT_EQ(parse_number(".28"), 0.28);
  EXPECT_EQ(parse_number("1."), 1);
  EXPECT_EQ(parse_number("-1e-400"), 0) << "below all doubles";
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0);
  EXPECT_FALSE(parse_number("1e400"));
  EXPECT_FALSE(parse_number(std::string(400, '1') + ".5"));
  EXPECT_FALSE(parse_number("1.5x"));
  EXPECT_FALSE(parse_number("1 "));
  EXPECT_FALSE(parse_number(""));
  EXPECT_FALSE(parse_number("+"));
  EXPECT_FALSE(parse_number("+-1"));
  EXPECT_FALSE(parse_number("1,5"));
  EXPECT_FALSE(parse_number("0x10"));
}

TEST(ParseNumber, KnowsInfinityAndNotANumber) {
  EXPECT_TRUE(std::isinf(parse_number("+inf").value()));
  EXPECT_TRUE(std::isnan(parse_number("NaN").value()));
}

TEST(LinesOfText, CountFromOneAndDropEitherLineEnd) {
  Lines lines(
      "\xEF\xBB\xBF"
      "a\r\nb\n\nc");

  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "a");
  ASSERT_TRUE(lines.next_content(""));
  EXPECT_EQ(lines.line(), "b");
  ASSERT_TRUE(lines.next_content(""));
  EXPECT_EQ(lines.line(), "c");
  EXPECT_EQ(lines.number(), 4U);
  EXPECT_FALSE(lines.next());
}

TEST(LinesOfText, PassOverBlankLinesAndComments) {
  Lines lines("% one\n  % two\n \t\r\nx % y\n");

  ASSERT_TRUE(lines.next_content("%"));
  EXPECT_EQ(lines.line(), "x % y");
  EXPECT_EQ(lines.number(), 4U);
  EXPECT_FALSE(lines.next_content("%"));
}

TEST(FieldsOfALine, AreTrimmedAndMayBeEmpty) {
  EXPECT_EQ(split(',', " 1 ,,b c, "), (Words{"1", "", "b c", ""}));
  EXPECT_EQ(split('\t', " 1\t \t2\t"), (Words{"1", "", "2", ""}));
  EXPECT_EQ(split(';', "1;2"), (Words{"1", "2"}));
  EXPECT_EQ(split(',', ""), (Words{""}));
}

TEST(FieldsOfALine, ArePartedByRunsOfBlanks) {
  EXPECT_EQ(split(' ', "  1 \t 2   3 "), (Words{"1", "2", "3"}));
  EXPECT_TRUE(split(' ', "   ").empty());
}

TEST(FieldsOfALine, MayBeQuoted) {
  EXPECT_EQ(split(',', R"("a, b", "say ""no""",c)"), (Words{"a, b", "say \"no\"", "c"}));
  EXPECT_EQ(split(' ', R"('a b' "c d" e)", "'\""), (Words{"a b", "c d", "e"}));
  EXPECT_EQ(split(',', "'a,b'"), (Words{"'a", "b'"}));
  EXPECT_EQ(split(',', R"("",x)"), (Words{"", "x"}));
}

TEST(FieldsOfALine, KeepQuotesThatDoNotEncloseThem) {
  EXPECT_EQ(split(',', R"("a"b,c)"), (Words{"\"a\"b", "c"}));
  EXPECT_EQ(split(',', R"(5" pipe,c)"), (Words{"5\" pipe", "c"}));
}

TEST(BeginsWithWord, IgnoresCase) {
  EXPECT_TRUE(begins_with_word("@DATA", "@data"));
  EXPECT_FALSE(begins_with_word("@dat", "@data"));
}

}  // namespace
}  // namespace elmx
