#include <fmt/core.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "data/content/bytes.hpp"
#include "data/matlab/array_file.hpp"
#include "data/rows/array_rows.hpp"

namespace elmx {
namespace {

constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kVersionAt = 124;
constexpr std::size_t kTagBytes = 8;      // type and length
constexpr std::size_t kHeadBytes = 4096;  // of a matrix: flags, dimensions and name fit well
constexpr std::size_t kBlockBytes = 1 << 16;
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

/// A variable as it lies in the file. Offsets count from the tag of its matrix, which is packed or not.
struct Element {
  std::string_view bytes;  ///< tag and all
  bool packed = false;
  Variable variable;
  NumberType type;
  std::size_t numbers = 0;  ///< offset of the first number
};

/// Calls f(block) for the bytes of an element, one block after the other. Each block of packed bytes but the
/// last has kBlockBytes. Returns false if the packed bytes are damaged.
template <class Function>
bool for_each_block(const Element& element, const Function& f) {
  if (!element.packed) {
    f(element.bytes);
    return true;
  }
  const std::string_view bytes = element.bytes.substr(kTagBytes);
  std::array<char, kBlockBytes> out;
  z_stream z{};
  if (inflateInit(&z) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&z, inflateEnd);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write to its input
  z.avail_in = static_cast<uInt>(bytes.size());
  int code = Z_OK;
  while (code == Z_OK) {
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    code = inflate(&z, Z_NO_FLUSH);
    f(std::string_view(out.data(), out.size() - z.avail_out));
  }
  return code == Z_STREAM_END;
}

/// Iterates over the parts of a matrix by their stated sizes; only the start of the matrix is in memory.
class MatrixParts {
 public:
  struct Part {
    std::uint32_t type = 0;
    std::size_t size = 0;
    std::string_view data;  // the part that is in memory
  };

  /// `head` starts with the tag of the matrix; `size` is the size of the matrix including its tag.
  MatrixParts(std::string_view head, std::size_t size, bool little)
      : head_(head.substr(0, size)), size_(size), little_(little) {}

  /// The next part; nothing if it goes beyond the matrix. A part of at most four bytes may have its length
  /// and its data in its tag.
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

/// Describes the matrix that begins with `head` and has `size` bytes. Returns false if it is not whole.
bool read_matrix(std::string_view head, std::size_t size, bool little, Element& element) {
  MatrixParts parts(head, size, little);
  Variable& variable = element.variable;
  const auto flags = parts.next();
  if (!flags || flags->type != kUint32 || flags->data.size() != 8) return false;
  const std::uint32_t flag_bits = number_at(flags->data, 0, little), array_class = flag_bits & 0xff;
  variable.kind = kind_of(flag_bits);
  variable.numeric = array_class >= kDoubleClass && array_class <= kUint64Class && variable.kind != "complex";
  auto part = parts.next();
  const auto shape =
      part && part->type == kInt32 && part->data.size() == part->size ? shape_of(part->data, little) : std::nullopt;
  if (shape) part = parts.next();
  const bool has_name = part && part->type == kInt8 && part->data.size() == part->size;
  if (has_name) variable.name = part->data.substr(0, part->data.find('\0'));
  if (shape) variable.shape = *shape;
  if (variable.kind == "object") return true;  // the content of an object may have another layout
  if (!shape || !has_name) return false;
  if (!variable.numeric) return true;
  const auto data = parts.next();
  if (!data) return false;
  element.type = stored_numbers(data->type, little);
  element.numbers = static_cast<std::size_t>(data->data.data() - head.data());
  std::size_t count = 1;
  for (const std::size_t one : *shape) count *= one;
  return element.type.pick != nullptr && data->size == count * element.type.bytes;
}

std::vector<Element> read_elements(std::string_view bytes, const std::string& origin) {
  const bool little = is_little_endian(bytes);
  std::vector<Element> elements;
  for (std::size_t at = kHeaderBytes; at < bytes.size(); at += elements.back().bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    const auto refuse = [&](const std::string& what) {
      throw DataError(origin, fmt::format("element at byte {}: {}", at, what));
    };
    if (rest.size() < kTagBytes) refuse("ends too early; use a complete MAT-file");
    const std::uint32_t type = number_at(rest, 0, little);
    const std::uint32_t length = number_at(rest, 4, little);
    if (type != kMatrix && type != kCompressed) {
      refuse(fmt::format("expected type 14 (matrix) or 15 (compressed), found {}", type));
    }
    if (rest.size() - kTagBytes < length) refuse("ends too early; use a complete MAT-file");
    Element element{
        .bytes = rest.substr(0, kTagBytes + length), .packed = type == kCompressed, .variable = {}, .type = {}};
    std::string head;
    std::size_t size = 0;
    const bool whole = for_each_block(element, [&](std::string_view block) {
      if (head.size() < kHeadBytes) head.append(block.substr(0, kBlockBytes));
      size += block.size();
    });
    if (!whole) refuse("its compressed data are damaged; use a complete MAT-file");
    const bool matrix =
        size >= kTagBytes && number_at(head, 0, little) == kMatrix && number_at(head, 4, little) <= size - kTagBytes;
    if (!matrix || !read_matrix(head, kTagBytes + number_at(head, 4, little), little, element))
      refuse("its matrix is damaged or incomplete; use a complete MAT-file");
    elements.push_back(std::move(element));
  }
  return elements;
}

/// Reads the numbers of a matrix as doubles. The block size is a multiple of the size of a number, and so is
/// the offset of the numbers.
arma::mat numbers_of(const Element& element) {
  arma::mat M(element.variable.shape[0], element.variable.shape[1], arma::fill::none);
  const std::size_t width = element.type.bytes, end = element.numbers + M.n_elem * width;
  const arma::uvec places = arma::regspace<arma::uvec>(0, 1, kBlockBytes - 1);
  std::size_t at = 0;  // of the block
  for_each_block(element, [&](std::string_view block) {
    const std::size_t stop = std::min(at + block.size(), end);
    for (std::size_t next = std::max(at, element.numbers); next + width <= stop;) {
      const std::size_t count = std::min<std::size_t>((stop - next) / width, places.n_elem);
      element.type.pick(block.data() + (next - at), width, places.memptr(), 0, count,
                        M.memptr() + (next - element.numbers) / width);
      next += count * width;
    }
    at += block.size();
  });
  return M;
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
  const auto elements = std::make_shared<const std::vector<Element>>(read_elements(file->bytes, file->origin));
  ArrayFile opened;
  for (const Element& element : *elements) {
    if (!element.variable.name.empty()) opened.variables.push_back(element.variable);
  }
  opened.read = [file, elements](const Variable& variable) {
    return numbers_of(
        *std::ranges::find(*elements, variable.name, [](const Element& element) { return element.variable.name; }));
  };
  return opened;
}

}  // namespace elmx
