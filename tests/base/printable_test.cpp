#include "base/printable.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace elmx {
namespace {

TEST(Printable, LeavesTextOfOneLineAsItIs) {
  for (const std::string text : {"", "plain text", "caf\u00e9 \u4e2d \U0001f600", "\xef\xbf\xbf"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatIsNoneOrNoCharacter) {
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable(std::string_view("\x1b[31m\0\x7f", 7)), "\\x1b[31m\\x00\\x7f");
  EXPECT_EQ(printable("caf\xe9!"), "caf\\xe9!") << "Latin-1";
}

TEST(Printable, EscapesCharactersThatSteerATerminal) {
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m")
      << "CSI in Latin-1";
  EXPECT_EQ(printable("a\u202eb\u2066c\u2028d"), "a\\u202eb\\u2066c\\u2028d");
  EXPECT_EQ(printable("\u00a0\u200d\u05d0"), "\u00a0\u200d\u05d0") << "a blank, a joiner and a letter";
}

// RFC 3629, section 3 and 10.
TEST(Printable, KnowsTheLimitsOfUtf8) {
  for (const std::string_view valid : {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                       "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(utf8_bytes(valid), valid.size()) << printable(valid);
  }
  for (const std::string_view none :
       {"", "\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe4\xb8", "\xc3\x28", "\xf0\x9f\x98\x28"}) {
    EXPECT_EQ(utf8_bytes(none), 0U) << printable(none);
  }
}

TEST(Printable, CutsTheMiddleBetweenCharacters) {
  EXPECT_EQ(printable("0123456789abcdefghij", 17), "012345678 ... hij");
  EXPECT_EQ(printable("0123456789abcdefghij", 20), "0123456789abcdefghij");
  for (std::size_t most = 12; most < 60; ++most) {
    const std::string cut = printable(std::string(40, 'x') + "\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d", most);
    EXPECT_LE(cut.size(), most);
    EXPECT_EQ(printable(cut), cut) << "nothing but whole characters";
  }
}

TEST(UserErrors, AreOneLineOfAtMost2000Bytes) {
  EXPECT_STREQ(DataError("f: \"a\nb\"").what(), "f: \"a\\nb\"");
  EXPECT_EQ(std::string(ConfigError("f: " + std::string(5000, 'x') + ", use y").what()).size(), 2000U);
}

TEST(Shortest, SpellsEqualNumbersAlike) {
  EXPECT_EQ(shortest(6.0), "6");
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(-2.5), "-2.5");
  EXPECT_EQ(shortest(100000), "1e+05") << "fmt would write 100000";
}

}  // namespace
}  // namespace elmx
