#include "report/formats/named_values.hpp"

#include <fmt/core.h>
#include <utf8cpp/utf8.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

std::size_t rows_of(const std::vector<NamedValues>& columns) {
  if (columns.empty()) return 0;
  return std::visit([](const auto& values) { return static_cast<std::size_t>(values.size()); }, columns.front().values);
}

/// Returns value i; null if it is not known.
Json json_of(const NamedValues& column, std::size_t i) {
  Json value = std::visit([i](const auto& values) { return Json(values[i]); }, column.values);
  return value == "" ? Json(nullptr) : value;  // Json writes NaN as null, too
}

std::string text_of(const NamedValues& column, std::size_t i) {
  if (const auto* counts = std::get_if<arma::uvec>(&column.values)) return std::to_string((*counts)(i));
  if (const auto* numbers = std::get_if<arma::vec>(&column.values))
    return std::isnan((*numbers)(i)) ? "" : show((*numbers)(i));
  return std::get<std::vector<std::string>>(column.values)[i];
}

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

const std::vector<ValuesFormat>& values_formats() {
  static const std::vector<ValuesFormat> formats = {
      {"csv", "comma-separated values", values_as_csv},
      {"npy", "a structured array that numpy.load reads, one field a column", values_as_npy},
      {"json", "a list of objects, one a row", values_as_json},
  };
  return formats;
}

const ValuesFormat& find_values_format(const std::string& name) {
  return named_row(values_formats(), name, "--format " + name, "unknown format");
}

std::string values_as_csv(const std::vector<NamedValues>& columns) {
  std::vector<std::string> fields;
  for (const NamedValues& column : columns) fields.push_back(column.name);
  std::string csv = csv_line(fields);
  for (std::size_t i = 0; i < rows_of(columns); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) fields[j] = text_of(columns[j], i);
    csv += csv_line(fields);
  }
  return csv;
}

std::string values_as_json(const std::vector<NamedValues>& columns) {
  std::string text = "[";
  for (std::size_t i = 0; i < rows_of(columns); ++i) {
    Json row = Json::object();
    for (const NamedValues& column : columns) row[column.name] = json_of(column, i);
    text += (i == 0 ? "\n" : ",\n") + json_text(row);
  }
  return text + "\n]\n";
}

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
