#include "data/images/norb.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/content/bytes.hpp"
#include "data/table/table.hpp"

namespace elmx {
namespace {

constexpr std::size_t kSizeBytes = 4;
constexpr std::size_t kSizesStored = 3;
constexpr std::size_t kSizesAt = 8;  // behind the magic number and the number of dimensions
constexpr std::size_t kDimensionsMax = 4;

struct ValueType {
  std::uint32_t magic;
  const char* name;
  std::size_t bytes;  // 0: not read
};

constexpr ValueType kTypes[] = {{0x1E3D4C55, "unsigned bytes", 1},   {0x1E3D4C54, "int32", 4},
                                {0x1E3D4C51, "single precision", 0}, {0x1E3D4C52, "packed", 0},
                                {0x1E3D4C53, "double precision", 0}, {0x1E3D4C56, "int16", 0}};

std::size_t value_bytes(const Content& content) {
  const std::string_view magic = std::string_view(content.bytes).substr(0, kSizeBytes);
  const auto* type = std::ranges::find(kTypes, little_endian(magic, 0), &ValueType::magic);
  const bool known = type != std::end(kTypes);
  if (known && type->bytes > 0) return type->bytes;
  throw DataError(fmt::format(
      "{}: magic number {}{}; allowed for NORB: 0x1e3d4c55 (unsigned bytes: images), 0x1e3d4c54 (int32: labels)",
      content.origin, hexadecimal(std::string(magic.rbegin(), magic.rend())),
      known ? fmt::format(" ({})", type->name) : ""));
}

}  // namespace

BinaryMatrix read_norb(Content content) {
  const std::string_view bytes = content.bytes;
  if (bytes.size() < kSizesAt + kSizesStored * kSizeBytes) {
    throw DataError(
        fmt::format("{}: {}; a NORB header has at least 20", content.origin, counted(bytes.size(), "byte")));
  }
  const std::size_t width = value_bytes(content);
  const std::size_t dimensions = little_endian(bytes, kSizeBytes);
  if (dimensions < 1 || dimensions > kDimensionsMax) {
    throw DataError(fmt::format("{}: {}; allowed for NORB: 1 to 4", content.origin, counted(dimensions, "dimension")));
  }
  const std::size_t stored = std::max(dimensions, kSizesStored);
  const std::size_t header = kSizesAt + stored * kSizeBytes;
  if (bytes.size() < header) refuse_size(content, header);
  std::vector<arma::uword> shape;
  for (std::size_t k = 0; k < stored; ++k) shape.push_back(little_endian(bytes, kSizesAt + k * kSizeBytes));
  if (std::any_of(shape.begin() + static_cast<std::ptrdiff_t>(dimensions), shape.end(),
                  [](arma::uword size) { return size != 1; })) {
    throw DataError(fmt::format("{}: {}, but a size behind them that is not 1; 1 is expected", content.origin,
                                counted(dimensions, "dimension")));
  }
  shape.resize(dimensions);
  return binary_matrix(std::move(content), std::move(shape), header, width);
}

}  // namespace elmx
