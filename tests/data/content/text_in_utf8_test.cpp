#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/content/content.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

/// The encoding that is found, and what the bytes become.
std::pair<std::string, std::string> made_utf8(const std::string& bytes) {
  Content content{"x.csv", bytes, ""};
  std::string encoding = make_utf8(content);
  return {encoding, content.bytes};
}

using Found = std::pair<std::string, std::string>;

TEST(TextInUtf8, IsAsItWas) {
  for (const std::string text : {"", "a,b\n1,2\n", "stra\xC3\x9F\x65\n", "\xEF\xBB\xBFx\n", "\xF0\x9D\x84\x9E"})
    EXPECT_EQ(made_utf8(text), Found("", text));
}

TEST(TextInUtf8, OfLatin1HasTheCodePointsOfTheBytes) {
  for (int byte = 0xA0; byte <= 0xFF; ++byte) {
    const std::string two{static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
    EXPECT_EQ(made_utf8("a" + std::string(1, static_cast<char>(byte)) + "b"), Found("Windows-1252", "a" + two + "b"));
  }
}

TEST(TextInUtf8, OfWindows1252HasItsSignsToo) {
  EXPECT_EQ(made_utf8("Preis (\x80);\x84gut\x93 \x96 \x8A\x9E\x9F\n"),
            Found("Windows-1252", "Preis (\u20AC);\u201Egut\u201C \u2013 \u0160\u017E\u0178\n"));
}

TEST(TextInUtf8, WithOneLetterOfAnotherEncodingStaysAsItIs) {
  const std::string damaged = "gr\u00F6\u00DFe;stadt\n1;K\xF6ln\n";

  EXPECT_EQ(made_utf8(damaged), Found("", damaged));
}

TEST(TextInUtf8, IsNotMadeOfWhatIsNoText) {
  for (const std::string& bytes : {std::string("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16), std::string("K\xF6\x01ln\n"),
                                   std::string("a\x81")})  // 0x81 is no sign of Windows-1252
    EXPECT_EQ(made_utf8(bytes), Found("", bytes));
}

TEST(TextInUtf8, OfUtf16InBothOrdersMarkedOrNot) {
  const std::u16string text = u"x;gr\u00F6\u00DFe\n\u20AC;\U0001D11E\n";
  std::string little, big;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    little += {low, high};
    big += {high, low};
  }
  const Found expected("UTF-16", "x;gr\u00F6\u00DFe\n\u20AC;\U0001D11E\n");
  for (const std::string& bytes : {little, big, "\xFF\xFE" + little, "\xFE\xFF" + big})
    EXPECT_EQ(made_utf8(bytes), expected);
}

TEST(TextInUtf8, OfDamagedUtf16IsRefused) {
  const std::string utf32("\xFF\xFE\0\0x\0\0\0", 8);
  for (const std::string& bytes : {std::string("\xFF\xFEx\0y", 5), std::string("\xFF\xFE\x00\xDC", 4), utf32})
    EXPECT_EQ(place_thrown<DataError>([&] { made_utf8(bytes); }), "x.csv");
}

}  // namespace
}  // namespace elmx
