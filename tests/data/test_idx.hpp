#pragma once

#include <string>
#include <vector>

namespace elmx {

/// An IDX file of unsigned bytes.
inline std::string test_idx(const std::vector<unsigned>& shape, const std::vector<int>& data) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(shape.size())};
  for (const unsigned size : shape) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(size >> shift & 255U);
  }
  for (const int value : data) bytes += static_cast<char>(value);
  return bytes;
}

}  // namespace elmx
