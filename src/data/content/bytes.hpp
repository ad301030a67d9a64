#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

inline unsigned char byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

/// Return the four bytes at `offset` as one number, lowest byte first or highest byte first.
inline std::uint32_t little_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) number = number << 8 | byte_at(bytes, offset + i);
  return number;
}

inline std::uint32_t big_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | byte_at(bytes, offset + i);
  return number;
}

/// Formats bytes: "0x0801" for the bytes 8, 1.
inline std::string hexadecimal(std::string_view bytes) {
  return fmt::format("0x{:02x}", fmt::join(std::vector<unsigned char>(bytes.begin(), bytes.end()), ""));
}

}  // namespace elmx
