#include "data/values/text.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <random>
#include <string>

#include "data/test_files.hpp"

namespace elmx {
namespace {

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

TEST(ParseNumber, GivesTheNearestDouble) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100'000; ++i) {
    const int digits = 1 + static_cast<int>(random() % 18), behind = static_cast<int>(random() % 20);
    std::string text = std::to_string(random() % 1'000'000'000'000'000'000);
    text.resize(std::min(text.size(), static_cast<std::size_t>(digits)));
    if (behind < static_cast<int>(text.size())) text.insert(text.size() - static_cast<std::size_t>(behind), 1, '.');
    if (random() % 2 == 0) text.insert(0, 1, '-');
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(parse_number(text), expected) << text;
    ASSERT_EQ(std::signbit(*parse_number(text)), std::signbit(expected)) << text;
  }
}

TEST(ParseNumber, ReadsWhatIsWrittenOfADouble) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 100'000; ++i) {
    const double number = std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 400) - 200);
    char text[64];
    const auto [end, error] = std::to_chars(text, text + sizeof text, number);
    ASSERT_EQ(parse_number(std::string_view(text, static_cast<std::size_t>(end - text))), number);
  }
}

TEST(CanonicalLabel, IsOneForEqualWholeNumbers) {
  for (const char* text : {"1", "1.0", "+1", "1.", "1.000", "1.0e0"}) EXPECT_EQ(canonical_label(text), "1") << text;
  for (const char* text : {"-3", "-3.0", "-3."}) EXPECT_EQ(canonical_label(text), "-3") << text;
  for (const char* text : {"0", "0.0", "-0.0"}) EXPECT_EQ(canonical_label(text), "0") << text;
}

TEST(CanonicalLabel, KeepsOtherTextsAsWritten) {
  for (const char* text : {"", "02138", "1.10", "1.1", "0.5", "-0.5", "yes", "1e5", "7E3", "9223372036854775807",
                           "1234567890123456789", "12345678901234567.0", "inf", "nan", "+", "-", "00", "007.0", "1 0"})
    EXPECT_EQ(canonical_label(text), text);
}

TEST(CanonicalLabel, IsItsOwnCanonicalLabel) {
  for (const char* text : {"1.0", "+1", "-0.0", "02138", "1.10", "1e5", "x", "", "+00", "1e15", "100000.0"})
    EXPECT_EQ(canonical_label(canonical_label(text)), canonical_label(text)) << text;
}

TEST(TextLines, CountFromOneAndDropEitherLineEnd) {
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

TEST(TextLines, PassOverBlankLinesAndComments) {
  Lines lines("% one\n  % two\n \t\r\nx % y\n");

  ASSERT_TRUE(lines.next_content("%"));
  EXPECT_EQ(lines.line(), "x % y");
  EXPECT_EQ(lines.number(), 4U);
  EXPECT_FALSE(lines.next_content("%"));
}

TEST(SuggestName, TellsNamesThatLookTheSame) {
  const std::string composed = "R\xC3\xA9gion \xC3\xA0 l'\xC3\xA9t\xC3\xA9",
                    combined = "Re\xCC\x81gion a\xCC\x80 l'e\xCC\x81te\xCC\x81";
  const auto says_it = [](const std::string& name, const std::string& known) {
    return bool(names_all(suggest_name(name, {"length", known}), {"\"" + known + "\"", "look the same"}));
  };
  EXPECT_TRUE(says_it(composed, combined));
  EXPECT_TRUE(says_it(combined, composed));
  EXPECT_TRUE(says_it("new\\nline", "new\nline"));
  EXPECT_FALSE(says_it("R\xC3\xA8gion", "R\xC3\xA9gion")) << "other accents";
  EXPECT_FALSE(says_it("region", "regions"));
}

TEST(BeginsWithWord, IgnoresCase) {
  EXPECT_TRUE(begins_with_word("@DATA", "@data"));
  EXPECT_FALSE(begins_with_word("@dat", "@data"));
}

}  // namespace
}  // namespace elmx
