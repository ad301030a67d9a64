#include <fmt/core.h>
#include <utf8cpp/utf8.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/error.hpp"
#include "report/formats/named_values.hpp"

namespace elmx {
namespace {

static_assert(std::endian::native == std::endian::little, "fields are written as they lie in memory");

constexpr std::size_t kAlignment = 64;  // alignment of the first row within the file, in bytes
constexpr std::size_t kLongestOfFormat1 = 65535;

/// The values of one field.
struct NpyField {
  std::string type;
  std::size_t width;  ///< bytes of a value
  std::string bytes;  ///< n x width
};

NpyField field_of(std::string type, const void* first, std::size_t width, std::size_t n) {
  return {std::move(type), width, {static_cast<const char*>(first), n * width}};
}

/// Replaces invalid UTF-8 by U+FFFD.
std::string in_utf8(const std::string& text) {
  std::string valid;
  utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid));
  return valid;
}

/// Writes texts with four bytes per character, padded with zeros.
NpyField field_of(const NamedValues& column) {
  if (const auto* counts = std::get_if<arma::uvec>(&column.values))
    return field_of("<i8", counts->memptr(), sizeof(arma::uword), counts->n_elem);
  if (const auto* numbers = std::get_if<arma::vec>(&column.values))
    return field_of("<f8", numbers->memptr(), sizeof(double), numbers->n_elem);
  std::size_t longest = 1;
  std::vector<std::u32string> texts;
  for (const std::string& text : std::get<std::vector<std::string>>(column.values)) {
    texts.push_back(utf8::utf8to32(in_utf8(text)));
    longest = std::max(longest, texts.back().size());
  }
  std::u32string all;
  for (std::u32string& text : texts) {
    text.resize(longest, U'\0');
    all += text;
  }
  return field_of(fmt::format("<U{}", longest), all.data(), longest * sizeof(char32_t), texts.size());
}

/// Returns a text as a Python literal.
std::string python_text(const std::string& name) {
  std::string text = "'";
  for (const char c : in_utf8(name)) {
    if (c == '\'' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < ' ' ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  }
  return text + "'";
}

std::string npy_heading(std::string text) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const bool first = ascii && text.size() + kAlignment < kLongestOfFormat1;
  const std::size_t before = first ? 10 : 12;  // magic, version, length
  text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string start = first ? std::string("\x93NUMPY\x01\x00", 8) : std::string("\x93NUMPY\x03\x00", 8);
  for (std::size_t byte = 0; byte + 8 < before; ++byte) start += static_cast<char>((text.size() >> (8 * byte)) & 0xff);
  return start + text;
}

}  // namespace

std::string values_as_npy(const std::vector<NamedValues>& columns) {
  expects(!columns.empty(), "values_as_npy: at least one column");
  std::vector<NpyField> fields;
  std::string types;
  for (const NamedValues& column : columns) {
    fields.push_back(field_of(column));
    types += fmt::format("{}({}, '{}')", types.empty() ? "" : ", ", python_text(column.name), fields.back().type);
  }
  const std::size_t rows = fields.front().bytes.size() / fields.front().width;
  std::string file =
      npy_heading(fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}", types, rows));
  for (std::size_t i = 0; i < rows; ++i) {
    for (const NpyField& field : fields) file.append(field.bytes, i * field.width, field.width);
  }
  return file;
}

}  // namespace elmx
