#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "data/arrays/array_file.hpp"
#include "data/content/unpack.hpp"
#include "data/rows/array_rows.hpp"

namespace elmx {
namespace {

constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kVersionAt = 124;
constexpr std::size_t kTagBytes = 8;                                           // type and length
constexpr std::size_t kMostValues = std::numeric_limits<std::int32_t>::max();  // of one dimension
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max();  // of an element

// Types of elements, classes and flags of arrays.
constexpr std::uint32_t kInt8 = 1;
constexpr std::uint32_t kInt32 = 5;
constexpr std::uint32_t kUint32 = 6;
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;
constexpr std::uint32_t kDoubleClass = 6;
constexpr std::uint32_t kUint64Class = 15;
constexpr std::uint32_t kLogicalFlag = 0x200;
constexpr std::uint32_t kComplexFlag = 0x800;

/// "IM" marks a file that is little endian, "MI" one that is big endian.
bool is_little_endian(std::string_view bytes) { return bytes.substr(kVersionAt + 2, 2) == "IM"; }

std::uint32_t number_at(std::string_view bytes, std::size_t offset, bool little) {
  return little ? little_endian(bytes, offset) : big_endian(bytes, offset);
}

/// A variable as it lies in the file.
struct Element {
  std::size_t at = 0;  ///< offset of its tag in the file
  std::size_t bytes = 0;
  bool packed = false;
  Variable variable;
  NumberType type;
  std::size_t numbers = 0;  ///< offset of the first number in the unpacked matrix, behind its tag
};

/// A part of a matrix.
struct MatrixPart {
  std::uint32_t type = 0;
  std::string_view data;
};

/// Takes the next part from the front of a matrix; nothing if it goes beyond the matrix. A part of at most
/// four bytes may have its length and its data in its tag.
std::optional<MatrixPart> take_part(std::string_view& matrix, bool little) {
  if (matrix.size() < kTagBytes) return std::nullopt;
  const std::uint32_t first = number_at(matrix, 0, little);
  const bool small = first >> 16 != 0;
  const std::size_t size = small ? first >> 16 : number_at(matrix, 4, little);
  const std::size_t begin = small ? kTagBytes / 2 : kTagBytes;
  if ((small && size > kTagBytes / 2) || size > matrix.size() - begin) return std::nullopt;
  const MatrixPart part{small ? first & 0xffff : first, matrix.substr(begin, size)};
  matrix.remove_prefix(std::min(matrix.size(), (begin + size + kTagBytes - 1) / kTagBytes * kTagBytes));
  return part;
}

std::string kind_of(std::uint32_t flags) {
  constexpr std::array kinds{"",     "cell",  "struct", "object", "text",  "sparse", "double", "single",
                             "int8", "uint8", "int16",  "uint16", "int32", "uint32", "int64",  "uint64"};
  const std::uint32_t array_class = flags & 0xff;
  if (array_class == 0 || array_class >= kinds.size()) return "object";
  if (array_class >= kDoubleClass && (flags & kComplexFlag) != 0) return "complex";
  return (flags & kLogicalFlag) != 0 ? "bool" : kinds[array_class];
}

/// Returns the storage format of an element type; `pick` is null if the type is not numeric.
NumberType stored_numbers(std::uint32_t type, bool little) {
  constexpr std::array kTypes{"  ", "i1", "u1", "i2", "u2", "i4", "u4", "f4", "  ", "f8", "  ", "  ", "i8", "u8"};
  const char* found = kTypes[type < kTypes.size() ? type : 0];
  return number_type(found[0], static_cast<std::size_t>(found[1] - '0'), !little);
}

/// The sizes of an array; nothing if there are fewer than two, one is negative or the product is beyond what
/// a file holds.
std::optional<std::vector<std::size_t>> shape_of(std::string_view dimensions, bool little) {
  if (dimensions.size() < 8 || dimensions.size() % 4 != 0) return std::nullopt;
  std::vector<std::size_t> shape;
  std::size_t count = 1;
  for (std::size_t at = 0; at < dimensions.size(); at += 4) {
    const std::uint32_t size = number_at(dimensions, at, little);
    if (size > kMostValues || (size > 0 && count > kMostBytes / size)) return std::nullopt;
    count *= size;
    shape.push_back(size);
  }
  return shape;
}

/// Describes a matrix, given without its tag. Returns false if it is not whole.
bool read_matrix(const std::string_view matrix, bool little, Element& element) {
  std::string_view rest = matrix;
  Variable& variable = element.variable;
  const auto flags = take_part(rest, little);
  if (!flags || flags->type != kUint32 || flags->data.size() != 8) return false;
  const std::uint32_t flag_bits = number_at(flags->data, 0, little), array_class = flag_bits & 0xff;
  variable.kind = kind_of(flag_bits);
  variable.numeric = array_class >= kDoubleClass && array_class <= kUint64Class && variable.kind != "complex";
  auto part = take_part(rest, little);
  const auto shape = part && part->type == kInt32 ? shape_of(part->data, little) : std::nullopt;
  if (shape) part = take_part(rest, little);
  const bool has_name = part && part->type == kInt8;
  if (has_name) variable.name = part->data.substr(0, part->data.find('\0'));
  if (shape) variable.shape = *shape;
  if (variable.kind == "object") return true;  // the content of an object may have another layout
  if (!shape || !has_name) return false;
  if (!variable.numeric) return true;
  const auto data = take_part(rest, little);
  if (!data) return false;
  element.type = stored_numbers(data->type, little);
  element.numbers = static_cast<std::size_t>(data->data.data() - matrix.data());
  std::size_t count = 1;
  for (const std::size_t one : *shape) count *= one;
  return element.type.pick != nullptr && data->data.size() == count * element.type.bytes;
}

/// Returns the matrix of a packed element, with its tag.
std::string unpacked_matrix(const Content& file, const Element& element) {
  return gunzip(std::string_view(file.bytes).substr(element.at + kTagBytes, element.bytes - kTagBytes),
                fmt::format("{}: element at byte {}", file.origin, element.at));
}

std::vector<Element> read_elements(const Content& file) {
  const std::string_view bytes = file.bytes;
  const bool little = is_little_endian(bytes);
  std::vector<Element> elements;
  for (std::size_t at = kHeaderBytes; at < bytes.size(); at += elements.back().bytes) {
    const std::string_view rest = bytes.substr(at);
    const auto refuse = [&](const std::string& what) {
      throw DataError(file.origin, fmt::format("element at byte {}: {}", at, what));
    };
    if (rest.size() < kTagBytes) refuse("ends too early; use a complete MAT-file");
    const std::uint32_t type = number_at(rest, 0, little);
    const std::uint32_t length = number_at(rest, 4, little);
    if (type != kMatrix && type != kCompressed) {
      refuse(fmt::format("expected type 14 (matrix) or 15 (compressed), found {}", type));
    }
    if (rest.size() - kTagBytes < length) refuse("ends too early; use a complete MAT-file");
    Element element{.at = at, .bytes = kTagBytes + length, .packed = type == kCompressed, .variable = {}, .type = {}};
    const std::string plain = element.packed ? unpacked_matrix(file, element) : "";
    const std::string_view matrix = element.packed ? plain : rest;
    const bool whole = matrix.size() >= kTagBytes && number_at(matrix, 0, little) == kMatrix &&
                       number_at(matrix, 4, little) <= matrix.size() - kTagBytes;
    if (!whole || !read_matrix(matrix.substr(kTagBytes, number_at(matrix, 4, little)), little, element))
      refuse("its matrix is damaged or incomplete; use a complete MAT-file");
    elements.push_back(std::move(element));
  }
  return elements;
}

arma::mat numbers_of(const SharedContent& file, const Element& element) {
  SharedContent content = file;
  if (element.packed)
    content = std::make_shared<const Content>(Content{file->origin, unpacked_matrix(*file, element), ""});
  const std::size_t begin = (element.packed ? 0 : element.at) + kTagBytes + element.numbers;
  const auto& shape = element.variable.shape;
  return read_all(*array_rows(content, {begin, element.type, shape[0], shape[1], true}));
}

/// Returns true for a file of version 7.3, which is an HDF5 file, and false for versions 5 to 7. Throws
/// DataError for any other header.
bool is_matlab73(const Content& content) {
  const std::string head = content.head(kHeaderBytes);
  if (head.size() == kHeaderBytes) {
    const std::string_view mark = std::string_view(head).substr(kVersionAt);
    if (mark == std::string_view("\0\1IM", 4) || mark == std::string_view("\1\0MI", 4)) return false;
    if (mark == std::string_view("\0\2IM", 4) || mark == std::string_view("\2\0MI", 4)) return true;
  }
  throw DataError(content.origin, "expected a MAT-file; save it as version 5 to 7 (save -v6, -v7) or 7.3");
}

}  // namespace

ArrayFile open_mat(Content content, const MatOptions&) {
  if (is_matlab73(content)) return open_matlab73(std::move(content));
  content.read_into_memory();
  const auto file = std::make_shared<const Content>(std::move(content));
  const auto elements = std::make_shared<const std::vector<Element>>(read_elements(*file));
  ArrayFile opened;
  for (const Element& element : *elements) {
    if (!element.variable.name.empty()) opened.variables.push_back(element.variable);
  }
  opened.read = [file, elements](const Variable& variable) {
    const auto is_it = [&](const Element& element) { return element.variable.name == variable.name; };
    return numbers_of(file, *std::ranges::find_if(*elements, is_it));
  };
  return opened;
}

}  // namespace elmx
