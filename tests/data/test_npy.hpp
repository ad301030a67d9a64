#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
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

/// A zip archive of (name, content), stored, as numpy.savez writes it.
inline std::string stored_zip(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string file, directory;
  const auto number = [](std::size_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? value >> 8 * i & 0xff : 0);
    return text;
  };
  for (const auto& [name, content] : members) {
    const auto* data = reinterpret_cast<const unsigned char*>(content.data());
    const std::size_t checksum = crc32(0, data, static_cast<unsigned>(content.size())), offset = file.size();
    const std::string common = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 4) + number(checksum, 4) +
                               number(content.size(), 4) + number(content.size(), 4) + number(name.size(), 2) +
                               number(0, 2);
    file += "PK\x03\x04" + common + name + content;
    directory += "PK\x01\x02" + number(20, 2) + common + number(0, 10) + number(offset, 4) + name;
  }
  return file + directory + "PK\x05\x06" + number(0, 4) + number(members.size(), 2) + number(members.size(), 2) +
         number(directory.size(), 4) + number(file.size(), 4) + number(0, 2);
}

}  // namespace elmx
