#include "data/mat_elements.hpp"

#include <zlib.h>

#include <array>
#include <new>

#include "base/error.hpp"
#include "data/bytes.hpp"

namespace elmx {
namespace {

constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kVersionAt = 124;
constexpr std::size_t kTagBytes = 8;  // type and length
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;

/// "IM" marks a file that is little endian, "MI" one that is big endian.
bool is_little_endian(std::string_view bytes) {
  return bytes.substr(kVersionAt + 2, 2) == "IM";
}

std::uint32_t number_at(std::string_view bytes, std::size_t offset, bool little) {
  return little ? little_endian(bytes, offset) : big_endian(bytes, offset);
}

/// Whether `bytes` begin with a whole zlib stream whose checksum is right.
bool unpacks(std::string_view bytes) {
  std::array<Bytef, 1 << 16> out;
  z_stream z{};
  if (inflateInit(&z) != Z_OK) throw std::bad_alloc();
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write to its input
  z.avail_in = static_cast<uInt>(bytes.size());
  int code = Z_OK;
  while (code == Z_OK) {
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    code = inflate(&z, Z_NO_FLUSH);
  }
  inflateEnd(&z);
  return code == Z_STREAM_END;
}

}  // namespace

MatVersion mat_version(std::string_view bytes, const std::string& origin) {
  if (bytes.size() >= kHeaderBytes) {
    const std::string_view mark = bytes.substr(kVersionAt, 4);
    if (mark == std::string_view("\0\1IM", 4) || mark == std::string_view("\1\0MI", 4)) return MatVersion::matlab5;
    if (mark == std::string_view("\0\2IM", 4) || mark == std::string_view("\2\0MI", 4)) return MatVersion::matlab73;
  }
  throw DataError(origin + ": no header of a MAT-file; MATLAB 5 to 7 (save -v6, -v7) and 7.3 are allowed");
}

void check_mat5_elements(std::string_view bytes, const std::string& origin) {
  const bool little = is_little_endian(bytes);
  for (std::size_t at = kHeaderBytes; at < bytes.size();) {
    const std::string_view rest = bytes.substr(at);
    const std::string where = origin + ": element at byte " + std::to_string(at);
    if (rest.size() < kTagBytes) throw DataError(where + ": ends too early; a complete MAT-file is allowed");
    const std::uint32_t type = number_at(rest, 0, little);
    const std::uint32_t length = number_at(rest, 4, little);
    if (type != kMatrix && type != kCompressed) {
      throw DataError(where + ": type " + std::to_string(type) + "; 14 (matrix) or 15 (compressed) is allowed");
    }
    if (rest.size() - kTagBytes < length) throw DataError(where + ": ends too early; a complete MAT-file is allowed");
    if (type == kCompressed && !unpacks(rest.substr(kTagBytes, length))) {
      throw DataError(where + ": its compressed data are damaged; a complete MAT-file is allowed");
    }
    at += kTagBytes + length;
  }
}

}  // namespace elmx
