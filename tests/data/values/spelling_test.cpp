#include "data/values/spelling.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

TEST(Spelling, ReadsTheCommaAsDecimalMark) {
  EXPECT_EQ(parse_number("1,5", Decimal::comma), 1.5);
  EXPECT_EQ(parse_number("-1.234,5e1", Decimal::comma), -12345);
  EXPECT_EQ(parse_number("+12", Decimal::comma), 12);
  EXPECT_EQ(parse_number(",25", Decimal::comma), 0.25);
  EXPECT_EQ(parse_number("1.234.567", Decimal::comma), 1234567);
  EXPECT_EQ(parse_number("0,125", Decimal::comma), 0.125);
}

TEST(Spelling, ReadsCommasBetweenThousands) {
  EXPECT_EQ(parse_number("1,234.5", Decimal::point), 1234.5);
  EXPECT_EQ(parse_number("12,345,678", Decimal::point), 12345678);
  EXPECT_EQ(parse_number("1.5", Decimal::point), 1.5);
  EXPECT_EQ(parse_number("1e5", Decimal::point), 1e5);
}

TEST(Spelling, RefusesGroupsThatAreNotThree) {
  for (const char* text : {"1,23.5", "1,2345", "1234,567", "0,123.5", ",123", "1,234,5", "1,,234", "1,234.5.6", "1 234",
                           "", "-", "x", "inf", "--1", "1,"})
    EXPECT_FALSE(parse_number(text, Decimal::point)) << text;
  for (const char* text : {"1.5", "12.34,5", "1.2345", "1,5,6", "1,5.6", ".", "nan"})
    EXPECT_FALSE(parse_number(text, Decimal::comma)) << text;
}

// What is plain reads the same with a decimal point.
TEST(Spelling, PlainNumbersAreNumbersWithADecimalPoint) {
  for (const char* text : {"0", "-0.5", "1234567.25", "1e-300", "+2", ".28", "1."})
    EXPECT_EQ(parse_number(text, Decimal::plain), parse_number(text, Decimal::point)) << text;
}

TEST(Missing, IsWhatTheListSaysAndAnEmptyField) {
  const MissingValues usual = MissingValues::usual();
  for (const char* text : {"", "?", "<null>", "NA", "N/A", "n/a", "nan", "NaN", "null", "NULL", "None"})
    EXPECT_TRUE(usual.has(text)) << text;
  for (const char* text : {"0", "na.", "NAN1", "none such", "-"}) EXPECT_FALSE(usual.has(text)) << text;

  const MissingValues own({"-"});
  EXPECT_TRUE(own.has("-") && own.has(""));
  EXPECT_FALSE(own.has("NA") || own.has("?"));
  EXPECT_FALSE(MissingValues().has("NA")) << "the published sets";
}

}  // namespace
}  // namespace elmx
