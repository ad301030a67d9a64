#pragma once

#include <map>
#include <string>
#include <string_view>

namespace elmx {

inline std::string test_pgm(unsigned cols, unsigned rows, const std::string& pixels) {
  return "P5\n" + std::to_string(cols) + " " + std::to_string(rows) + "\n255\n" + pixels;
}

/// Codes of a growing number of bits, the lowest bits first.
class TestBits {
 public:
  void put(unsigned code, unsigned width) {
    buffer_ |= code << held_;
    for (held_ += width; held_ >= 8; held_ -= 8) {
      bytes_ += static_cast<char>(buffer_ & 255U);
      buffer_ >>= 8U;
    }
  }
  std::string take() {
    if (held_ > 0) bytes_ += static_cast<char>(buffer_);
    return bytes_;
  }

 private:
  std::string bytes_;
  unsigned buffer_ = 0, held_ = 0;
};

/// The data of a GIF of bytes, compressed by LZW, with a new table when 4096 codes are given away.
inline std::string test_lzw(std::string_view pixels) {
  constexpr unsigned clear = 256, end = 257, most = 4096;
  std::map<std::string, unsigned> codes;
  unsigned width = 9, next = 258;
  const auto begin = [&] {
    codes.clear();
    for (unsigned i = 0; i < clear; ++i) codes[std::string(1, static_cast<char>(i))] = i;
    width = 9;
    next = 258;
  };
  begin();
  TestBits bits;
  bits.put(clear, width);
  std::string piece;
  for (const char pixel : pixels) {
    if (codes.contains(piece + pixel)) {
      piece += pixel;
      continue;
    }
    bits.put(codes[piece], width);
    if (next < most) {
      codes[piece + pixel] = next++;
      if (next - 1 == (1U << width) && width < 12) ++width;
    } else {
      bits.put(clear, width);
      begin();
    }
    piece = pixel;
  }
  bits.put(codes[piece], width);
  bits.put(end, width);
  return bits.take();
}

/// A GIF of 256 grey levels.
inline std::string test_gif(unsigned cols, unsigned rows, const std::string& pixels) {
  const auto word = [](unsigned number) {
    return std::string{static_cast<char>(number & 255U), static_cast<char>(number >> 8U)};
  };
  const std::string size = word(cols) + word(rows);
  std::string bytes = "GIF89a" + size + std::string("\xF7\0\0", 3);
  for (int grey = 0; grey < 256; ++grey) bytes += std::string(3, static_cast<char>(grey));
  bytes += std::string("!\xF9\4\0\0\0\0\0", 8);  // a graphic control extension
  bytes += "," + std::string(4, '\0') + size + std::string("\0\x08", 2);
  const std::string data = test_lzw(pixels);
  for (std::size_t at = 0; at < data.size(); at += 255) {
    const std::string block = data.substr(at, 255);
    bytes += static_cast<char>(block.size()) + block;
  }
  return bytes + std::string("\0;", 2);
}

}  // namespace elmx
