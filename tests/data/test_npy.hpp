#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace elmx {

/// The bytes of a .npy file of version 1 with this header and these numbers behind it.
inline std::string npy_file(const std::string& dictionary, const std::string& numbers) {
  std::string header = dictionary;
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + numbers;
}

inline std::string npy_dictionary(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

/// The numbers as T, one after the other.
template <class T>
std::string npy_numbers(const std::vector<double>& numbers, bool big_endian = false) {
  std::string bytes;
  for (const double number : numbers) {
    const T value = static_cast<T>(number);
    char piece[sizeof(T)];
    std::memcpy(piece, &value, sizeof(T));
    if (big_endian) std::reverse(piece, piece + sizeof(T));
    bytes.append(piece, sizeof(T));
  }
  return bytes;
}

}  // namespace elmx
