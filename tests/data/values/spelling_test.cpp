#include "data/values/spelling.hpp"

#include <gtest/gtest.h>

#include <random>

#include "data/values/text.hpp"

namespace elmx {
namespace {

const Spelling kPoint{'.', ',', "", ""}, kComma{',', '.', "", ""};

TEST(Spelling, ReadsTheCommaAsDecimalMark) {
  EXPECT_EQ(parse_number("1,5", kComma), 1.5);
  EXPECT_EQ(parse_number("-1.234,5e1", kComma), -12345);
  EXPECT_EQ(parse_number("+12", kComma), 12);
  EXPECT_EQ(parse_number(",25", kComma), 0.25);
  EXPECT_EQ(parse_number("1.234.567", kComma), 1234567);
  EXPECT_EQ(parse_number("0,125", kComma), 0.125);
}

TEST(Spelling, ReadsCommasBetweenThousands) {
  EXPECT_EQ(parse_number("1,234.5", kPoint), 1234.5);
  EXPECT_EQ(parse_number("12,345,678", kPoint), 12345678);
  EXPECT_EQ(parse_number("1.5", kPoint), 1.5);
  EXPECT_EQ(parse_number("1e5", kPoint), 1e5);
}

TEST(Spelling, RefusesGroupsThatAreNotThree) {
  for (const char* text : {"1,23.5", "1,2345", "1234,567", "0,123.5", ",123", "1,234,5", "1,,234", "1,234.5.6", "1 234",
                           "", "-", "x", "--1", "1,"})
    EXPECT_FALSE(parse_number(text, kPoint)) << text;
  for (const char* text : {"1.5", "12.34,5", "1.2345", "1,5,6", "1,5.6", ".", "nan"})
    EXPECT_FALSE(parse_number(text, kComma)) << text;
}

TEST(Spelling, PlainNumbersAreNumbersWithADecimalPoint) {
  for (const char* text : {"0", "-0.5", "1234567.25", "1e-300", "+2", ".28", "1."})
    EXPECT_EQ(parse_number(text, Spelling()), parse_number(text, kPoint)) << text;
}

TEST(Spelling, ReadsBlanksAndApostrophesBetweenThousands) {
  const Spelling blank{'.', ' ', "", ""}, apostrophe{'.', '\'', "", ""};
  for (const char* text : {"2 470",
                           "2\xC2\xA0"
                           "470",
                           "2\xE2\x80\xAF"
                           "470",
                           "2\xE2\x80\x89"
                           "470"})
    EXPECT_EQ(parse_number(text, blank), 2470) << text;
  for (const char* text : {"2'470",
                           "2\xE2\x80\x99"
                           "470"})
    EXPECT_EQ(parse_number(text, apostrophe), 2470) << text;
  for (const char* text : {"2 47", "24 70", "2  470", "2 4700", "0 470"})
    EXPECT_FALSE(parse_number(text, blank)) << text;
}

TEST(Spelling, ReadsOtherNegativeNumbersAndFormulas) {
  EXPECT_EQ(parse_number("\xE2\x88\x92"
                         "15.1",
                         Spelling()),
            -15.1);
  EXPECT_EQ(parse_number("(1.28)", Spelling()), -1.28);
  EXPECT_EQ(parse_number("=\"8.05\"", Spelling()), 8.05);
  EXPECT_FALSE(parse_number("((1))", Spelling()));
  EXPECT_FALSE(parse_number("(-)", Spelling()));
  EXPECT_FALSE(parse_number("()", Spelling()));
  EXPECT_FALSE(parse_number("=", Spelling()));
}

TEST(Spelling, NegativeNumbersInParenthesesHaveNoSign) {
  EXPECT_FALSE(parse_number("(-5)", Spelling())) << "whether it is 5 or -5 is not known";
}

TEST(Spelling, ReadsUnits) {
  const Spelling dollars{'.', ',', "$", ""}, kilograms{'.', '\0', "", "kg"}, percent{',', '.', "", "%"};
  EXPECT_EQ(parse_number("$54.26", dollars), 54.26);
  EXPECT_EQ(parse_number("-$1,000", dollars), -1000);
  EXPECT_EQ(parse_number("$-1,000", dollars), -1000);
  EXPECT_EQ(parse_number("($1,000)", dollars), -1000);
  EXPECT_EQ(parse_number("12 kg", kilograms), 12);
  EXPECT_EQ(parse_number("12kg", kilograms), 12);
  EXPECT_EQ(parse_number("1,5 %", percent), 1.5);
  EXPECT_FALSE(parse_number("54.26", dollars));
  EXPECT_FALSE(parse_number("12", kilograms));
  EXPECT_FALSE(parse_number("-$-1", dollars));
}

TEST(Spelling, ReadsBack) {
  std::mt19937_64 random(3);
  for (const Spelling& spelling : spellings()) {
    for (int i = 0; i < 2000; ++i) {
      const long whole = static_cast<long>(random() % 100'000'000), fraction = static_cast<long>(random() % 100);
      std::string digits = std::to_string(whole), text;
      for (std::size_t k = 0; k < digits.size(); ++k) {
        text += digits[k];
        if (spelling.thousands != '\0' && k + 1 < digits.size() && (digits.size() - k - 1) % 3 == 0)
          text += spelling.thousands;
      }
      const std::string cents = (fraction < 10 ? "0" : "") + std::to_string(fraction);
      ASSERT_EQ(parse_number("-" + text + spelling.decimal + cents, spelling), -std::stod(digits + "." + cents))
          << text;
    }
  }
}

TEST(Bounds, AreReadAsTheirNumber) {
  EXPECT_EQ(parse_bound("<0.05", Spelling()), 0.05);
  EXPECT_EQ(parse_bound("> 100", Spelling()), 100);
  EXPECT_EQ(parse_bound("<=0,5", kComma), 0.5);
  EXPECT_EQ(parse_bound("\xE2\x89\xA4"
                        "2",
                        Spelling()),
            2);
  for (const char* text : {"0.05", "<", "< x", "<<1", ""}) EXPECT_FALSE(parse_bound(text, Spelling())) << text;
}

TEST(Units, AreKnownOrApart) {
  EXPECT_EQ(unit_of("$8,394"), (Spelling{.before = "$"}));
  EXPECT_EQ(unit_of("97%"), (Spelling{.behind = "%"}));
  EXPECT_EQ(unit_of("12 kg"), (Spelling{.behind = "kg"}));
  EXPECT_EQ(unit_of("12kg"), (Spelling{.behind = "kg"}));
  EXPECT_EQ(unit_of("97"), Spelling());
  for (const char* text : {"K-0001", "r12", "kg", "7b", "c0"}) EXPECT_FALSE(unit_of(text)) << text;
}

TEST(MissingTexts, AreAlwaysOrWordsThatMayBe) {
  const MissingValues usual = MissingValues::usual();
  for (const char* text : {"", "?", "<null>", "#N/A", "<NA>"}) EXPECT_TRUE(usual.is_always(text)) << text;
  for (const char* text : {"NA", "N/A", "n/a", "nan", "NaN", "null", "NULL", "None"}) {
    EXPECT_TRUE(usual.is_word(text)) << text;
    EXPECT_FALSE(usual.is_always(text)) << text;
  }
  for (const char* text : {"0", "na.", "NAN1", "none such", "-"})
    EXPECT_FALSE(usual.is_always(text) || usual.is_word(text)) << text;
  EXPECT_FALSE(MissingValues().is_word("NA")) << "the published sets";
  EXPECT_TRUE(MissingValues().is_always("?"));
}

}  // namespace
}  // namespace elmx
