#include "table_formats/npy.hpp"

#include <fmt/core.h>
#include <utf8cpp/utf8.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

#include "base/error.hpp"

namespace elmx {
namespace {

static_assert(std::endian::native == std::endian::little, "fields are written as they lie in memory");

constexpr std::size_t kAlignment = 64;  // of the first row within the file
constexpr std::size_t kLongestOfFormat1 = 65535;

/// The bytes of one field of each row.
struct Field {
  std::string type;
  std::size_t width;  ///< bytes
  std::string bytes;  ///< n x width
};

template <class T>
Field field_of(const arma::Col<T>& values, const char* type) {
  return {type, sizeof(T), {reinterpret_cast<const char*>(values.memptr()), values.n_elem * sizeof(T)}};  // NOLINT
}

/// The text with U+FFFD in place of what is no UTF-8.
std::string in_utf8(const std::string& text) {
  std::string valid;
  utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid));
  return valid;
}

/// Characters of four bytes, the rest of a short text zeros.
Field field_of(const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  std::vector<std::u32string> fields;
  for (const std::string& text : texts) {
    fields.push_back(utf8::utf8to32(in_utf8(text)));
    longest = std::max(longest, fields.back().size());
  }
  Field field{fmt::format("<U{}", longest), longest * sizeof(char32_t), {}};
  for (std::u32string& characters : fields) {
    characters.resize(longest, U'\0');
    field.bytes.append(reinterpret_cast<const char*>(characters.data()), field.width);  // NOLINT
  }
  return field;
}

Field field_of(const NamedValues& column) {
  if (const auto* counts = std::get_if<arma::uvec>(&column.values)) return field_of(*counts, "<i8");
  if (const auto* numbers = std::get_if<arma::vec>(&column.values)) return field_of(*numbers, "<f8");
  return field_of(std::get<std::vector<std::string>>(column.values));
}

/// A text as Python writes it.
std::string python_text(const std::string& name) {
  std::string text = "'";
  for (const char c : in_utf8(name)) {
    if (c == '\'' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < ' ' ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  }
  return text + "'";
}

std::string heading(const std::string& description) {
  const bool ascii = std::ranges::all_of(description, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const bool first = ascii && description.size() + kAlignment < kLongestOfFormat1;
  const std::size_t before = first ? 10 : 12;  // magic, version, length
  std::string text = description;
  text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string start = first ? std::string("\x93NUMPY\x01\x00", 8) : std::string("\x93NUMPY\x03\x00", 8);
  for (std::size_t byte = 0; byte + 8 < before; ++byte) start += static_cast<char>((text.size() >> (8 * byte)) & 0xff);
  return start + text;
}

}  // namespace

std::string values_as_npy(const std::vector<NamedValues>& columns) {
  expects(!columns.empty(), "values_as_npy: at least one column");
  std::vector<Field> fields;
  std::string types;
  for (const NamedValues& column : columns) {
    fields.push_back(field_of(column));
    types += fmt::format("{}({}, '{}')", types.empty() ? "" : ", ", python_text(column.name), fields.back().type);
  }
  const std::size_t rows = fields.front().bytes.size() / fields.front().width;
  std::string file = heading(fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}", types, rows));
  for (std::size_t i = 0; i < rows; ++i) {
    for (const Field& field : fields) file.append(field.bytes, i * field.width, field.width);
  }
  return file;
}

}  // namespace elmx
