#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/originals/originals.hpp"
#include "data/test_files.hpp"
#include "data/test_pictures.hpp"

namespace elmx {
namespace {

std::string place_of_pgm(const std::string& bytes) {
  return place_thrown<DataError>([&] { read_pgm(bytes, "f.pgm"); });
}

std::string place_of_gif(const std::string& bytes) {
  return place_thrown<DataError>([&] { read_gif(bytes, "f.gif"); });
}

/// Pixels of a few repeated rows, or of all values in no order.
std::string pixels_of(unsigned count, unsigned repeat) {
  std::string pixels;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned k = i % repeat;
    pixels += static_cast<char>((k * k * 7 / 3) & 255U);
  }
  return pixels;
}

TEST(Pgm, HasItsPixelsRowByRow) {
  const Picture picture = read_pgm("P5 # made by hand\n3\n# another\n2 200\n" + std::string("abcdef"), "f.pgm");
  EXPECT_EQ(picture.cols, 3U);
  EXPECT_EQ(picture.rows, 2U);
  EXPECT_EQ(picture.pixels, "abcdef");
}

TEST(Pgm, MayHaveABlankAsFirstPixel) { EXPECT_EQ(read_pgm(test_pgm(2, 1, " \n"), "").pixels, " \n"); }

TEST(PgmRefuses, WhatIsDamaged) {
  const std::string whole = test_pgm(3, 2, "abcdef");
  for (std::size_t size = 2; size < whole.size(); ++size)
    EXPECT_EQ(place_of_pgm(whole.substr(0, size)), "f.pgm") << size;
  for (const std::string& bytes : {whole + "g", std::string("P5\n2 1\n65535\nabcd"), std::string("P5\n-1 1\n255\n"),
                                   std::string("P5\n4294967296 4294967296\n255\n")})
    EXPECT_EQ(place_of_pgm(bytes), "f.pgm") << bytes;
}

TEST(Gif, HasItsPixelsRowByRow) {
  const Picture picture = read_gif(test_gif(3, 2, "abcabd"), "f.gif");
  EXPECT_EQ(picture.cols, 3U);
  EXPECT_EQ(picture.rows, 2U);
  EXPECT_EQ(picture.pixels, "abcabd");
}

// Long runs, repeated rows, and more pieces than codes have bits for.
TEST(Gif, UndoesItsCompression) {
  for (const unsigned repeat : {1U, 2U, 5U, 300U, 100003U}) {
    const std::string pixels = pixels_of(240 * 150, repeat);
    EXPECT_TRUE(read_gif(test_gif(240, 150, pixels), "f.gif").pixels == pixels) << repeat;
  }
}

// The picture of M. Flickinger, "What's in a GIF", with other colours: codes of 3 and 4 bits.
TEST(Gif, IsReadAsAnotherProgramWroteIt) {
  using namespace std::string_literals;
  const std::string bytes =
      "GIF89a\x0a\0\x0a\0\x91\0\0"s + "000111222999"s + "!\xF9\x04\0\0\0\0\0"s + ",\0\0\0\0\x0a\0\x0a\0\0"s +
      "\x02\x16\x8C\x2D\x99\x87\x2A\x1C\xDC\x33\xA0\x02\x75\xEC\x95\xFA\xA8\xDE\x60\x8C\x04\x91\x4C\x01\0;"s;
  const std::string a = "1111122222", b = "1110000222", c = "2220000111", d = "2222211111";
  EXPECT_EQ(read_gif(bytes, "f.gif").pixels, a + a + a + b + b + c + c + d + d + d);
}

TEST(GifRefuses, WhatIsDamaged) {
  const std::string whole = test_gif(7, 5, pixels_of(35, 9));
  for (std::size_t size = 6; size + 1 < whole.size(); ++size)
    EXPECT_EQ(place_of_gif(whole.substr(0, size)), "f.gif") << size;
  for (std::size_t at = 6; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    const std::string place = place_of_gif(changed);
    EXPECT_TRUE(place.empty() || place == "f.gif") << at;
  }
}

TEST(GifRefuses, ColoursInterlacesAndParts) {
  const std::string whole = test_gif(3, 2, "abcabd");
  const std::size_t colours = 13, image = colours + 768 + 8;
  const auto with = [&](std::size_t at, char byte) {
    std::string changed = whole;
    changed[at] = byte;
    return thrown<DataError>([&] { read_gif(changed, "f.gif"); });
  };
  EXPECT_TRUE(names_all(with(colours + 3 * 'a', 0), {"f.gif: ", "grey"}));
  EXPECT_TRUE(names_all(with(image + 9, 0x40), {"f.gif: ", "interlaced"}));
  EXPECT_TRUE(names_all(with(image + 1, 1), {"f.gif: ", "screen"}));
  EXPECT_TRUE(names_all(with(image + 5, 2), {"f.gif: ", "screen"}));
}

}  // namespace
}  // namespace elmx
