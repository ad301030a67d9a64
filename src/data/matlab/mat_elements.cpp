#include "data/matlab/mat_elements.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "data/content/bytes.hpp"

namespace elmx {
namespace {

constexpr std::size_t kVersionAt = 124;
constexpr std::size_t kTagBytes = 8;      // type and length
constexpr std::size_t kHeadBytes = 4096;  // of a matrix: flags, dimensions and name fit well
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
constexpr std::uint32_t kComplexFlag = 0x800;

/// "IM" marks a file that is little endian, "MI" one that is big endian.
bool is_little_endian(std::string_view bytes) { return bytes.substr(kVersionAt + 2, 2) == "IM"; }

std::uint32_t number_at(std::string_view bytes, std::size_t offset, bool little) {
  return little ? little_endian(bytes, offset) : big_endian(bytes, offset);
}

/// The first bytes of what a zlib stream holds, and how many it holds; nothing where the stream is damaged.
struct Unpacked {
  std::string head;
  std::size_t size = 0;
};

std::optional<Unpacked> unpack(std::string_view bytes) {
  std::array<Bytef, 1 << 16> out;
  z_stream z{};
  if (inflateInit(&z) != Z_OK) throw std::bad_alloc();
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write to its input
  z.avail_in = static_cast<uInt>(bytes.size());
  Unpacked unpacked;
  int code = Z_OK;
  while (code == Z_OK) {
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    code = inflate(&z, Z_NO_FLUSH);
    const std::size_t filled = out.size() - z.avail_out;
    unpacked.size += filled;
    if (unpacked.head.size() < kHeadBytes) unpacked.head.append(reinterpret_cast<char*>(out.data()), filled);
  }
  inflateEnd(&z);
  return code == Z_STREAM_END ? std::optional(std::move(unpacked)) : std::nullopt;
}

/// The parts of a matrix, one after the other: what is in memory is its beginning only, what counts is its size.
class MatrixParts {
 public:
  struct Part {
    std::uint32_t type = 0;
    std::size_t size = 0;
    std::string_view data;  // as much of it as is in memory
  };

  /// `head` begins with the matrix's own tag; `size` is that of the matrix, tag and all.
  MatrixParts(std::string_view head, std::size_t size, bool little)
      : head_(head.substr(0, size)), size_(size), little_(little) {}

  /// The next part; nothing where it goes beyond the matrix. A part of at most four bytes may have its length and its
  /// data in its tag.
  std::optional<Part> next() {
    if (at_ + kTagBytes > head_.size()) return std::nullopt;
    const std::uint32_t first = number_at(head_, at_, little_);
    const bool small = first >> 16 != 0;
    Part part{small ? first & 0xffff : first, small ? first >> 16 : number_at(head_, at_ + 4, little_), {}};
    const std::size_t begin = at_ + (small ? kTagBytes / 2 : kTagBytes);
    if ((small && part.size > kTagBytes / 2) || part.size > size_ - begin) return std::nullopt;
    part.data = head_.substr(begin, part.size);
    at_ = small ? at_ + kTagBytes : begin + (part.size + kTagBytes - 1) / kTagBytes * kTagBytes;
    return part;
  }

 private:
  std::string_view head_;
  std::size_t size_;
  bool little_;
  std::size_t at_ = kTagBytes;
};

/// What an array is, in the words of MATLAB; "" = real, full, numeric or logical.
std::string kind_of(std::uint32_t flags) {
  const std::uint32_t array_class = flags & 0xff;
  if (array_class == 1) return "a cell array";
  if (array_class == 2) return "a struct";
  if (array_class == 4) return "text";
  if (array_class == 5) return "a sparse matrix";
  if (array_class < kDoubleClass || array_class > kUint64Class) return "an object";
  return (flags & kComplexFlag) != 0 ? "complex" : "";
}

/// Bytes of a number as it is stored, 0 = not a type of numbers.
std::size_t bytes_of(std::uint32_t type) {
  constexpr std::array<std::size_t, 14> kBytes{0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
  return type < kBytes.size() ? kBytes[type] : 0;
}

/// The product of the dimensions; nothing where there are fewer than two, one is negative or the product is beyond what
/// a file holds.
std::optional<std::size_t> count_of(std::string_view dimensions, bool little) {
  if (dimensions.size() < 8 || dimensions.size() % 4 != 0) return std::nullopt;
  std::size_t count = 1;
  for (std::size_t at = 0; at < dimensions.size(); at += 4) {
    const std::uint32_t size = number_at(dimensions, at, little);
    if (size > kMostValues || (size > 0 && count > kMostBytes / size)) return std::nullopt;
    count *= size;
  }
  return count;
}

/// Name and kind of the matrix that begins with `head` and has `size` bytes; nothing where it is not whole.
std::optional<MatElement> read_matrix(std::string_view head, std::size_t size, bool little) {
  MatrixParts parts(head, size, little);
  MatElement element;
  const auto flags = parts.next();
  if (!flags || flags->type != kUint32 || flags->data.size() != 8) return std::nullopt;
  element.kind = kind_of(number_at(flags->data, 0, little));
  if (element.kind == "an object") return element;  // nothing is said of what is in it
  const auto dimensions = parts.next();
  const auto name = parts.next();
  if (!dimensions || dimensions->type != kInt32 || dimensions->data.size() != dimensions->size) return std::nullopt;
  if (!name || name->type != kInt8 || name->data.size() != name->size) return std::nullopt;
  element.name = name->data.substr(0, name->data.find('\0'));
  if (!element.kind.empty()) return element;
  const auto count = count_of(dimensions->data, little);
  const auto data = parts.next();
  const bool whole = count && data && bytes_of(data->type) > 0 && data->size == *count * bytes_of(data->type);
  return whole ? std::optional(std::move(element)) : std::nullopt;
}

}  // namespace

MatVersion mat_version(std::string_view bytes, const std::string& origin) {
  if (bytes.size() >= kMat5HeaderBytes) {
    const std::string_view mark = bytes.substr(kVersionAt, 4);
    if (mark == std::string_view("\0\1IM", 4) || mark == std::string_view("\1\0MI", 4)) return MatVersion::matlab5;
    if (mark == std::string_view("\0\2IM", 4) || mark == std::string_view("\2\0MI", 4)) return MatVersion::matlab73;
  }
  throw DataError(origin + ": no header of a MAT-file; MATLAB 5 to 7 (save -v6, -v7) and 7.3 are allowed");
}

std::vector<MatElement> mat5_elements(std::string_view bytes, const std::string& origin) {
  const bool little = is_little_endian(bytes);
  std::vector<MatElement> elements;
  for (std::size_t at = kMat5HeaderBytes; at < bytes.size(); at += elements.back().bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    const auto refuse = [&](const std::string& what) {
      throw DataError(fmt::format("{}: element at byte {}: {}", origin, at, what));
    };
    if (rest.size() < kTagBytes) refuse("ends too early; a complete MAT-file is allowed");
    const std::uint32_t type = number_at(rest, 0, little);
    const std::uint32_t length = number_at(rest, 4, little);
    if (type != kMatrix && type != kCompressed) {
      refuse(fmt::format("type {}; 14 (matrix) or 15 (compressed) is allowed", type));
    }
    if (rest.size() - kTagBytes < length) refuse("ends too early; a complete MAT-file is allowed");
    const std::string_view element = rest.substr(0, kTagBytes + length);
    std::optional<MatElement> read;
    if (type == kMatrix) {
      read = read_matrix(element, element.size(), little);
    } else {
      const auto unpacked = unpack(element.substr(kTagBytes));
      if (!unpacked) refuse("its compressed data are damaged; a complete MAT-file is allowed");
      const bool matrix = unpacked->size >= kTagBytes && number_at(unpacked->head, 0, little) == kMatrix &&
                          number_at(unpacked->head, 4, little) <= unpacked->size - kTagBytes;
      if (matrix) read = read_matrix(unpacked->head, kTagBytes + number_at(unpacked->head, 4, little), little);
    }
    if (!read) refuse("not a whole matrix; a complete MAT-file is allowed");
    read->bytes = element;
    elements.push_back(std::move(*read));
  }
  return elements;
}

}  // namespace elmx
