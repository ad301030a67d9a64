#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace elmx {

inline std::string little_endian_bytes(std::uint32_t number) {
  std::string bytes;
  for (const unsigned shift : {0U, 8U, 16U, 24U}) bytes += static_cast<char>(number >> shift & 255U);
  return bytes;
}

inline std::string test_norb_header(std::uint32_t magic, std::uint32_t dimensions,
                                    const std::vector<std::uint32_t>& sizes) {
  std::string bytes = little_endian_bytes(magic) + little_endian_bytes(dimensions);
  for (const std::uint32_t size : sizes) bytes += little_endian_bytes(size);
  return bytes;
}

/// A "dat" file: images of unsigned bytes, at least three sizes.
inline std::string test_norb_images(const std::vector<std::uint32_t>& shape, const std::vector<int>& data) {
  std::string bytes = test_norb_header(0x1E3D4C55, static_cast<std::uint32_t>(shape.size()), shape);
  for (const int value : data) bytes += static_cast<char>(value);
  return bytes;
}

/// A "cat" file: labels of int32.
inline std::string test_norb_labels(const std::vector<int>& labels) {
  std::string bytes = test_norb_header(0x1E3D4C54, 1, {static_cast<std::uint32_t>(labels.size()), 1, 1});
  for (const int label : labels) bytes += little_endian_bytes(static_cast<std::uint32_t>(label));
  return bytes;
}

}  // namespace elmx
