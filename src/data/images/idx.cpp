#include "data/images/idx.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "data/content/bytes.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMagicBytes = 4;
constexpr std::size_t kExtentBytes = 4;
constexpr unsigned char kMostDimensions = 4;

}  // namespace

BinaryMatrix idx_header(std::string_view bytes, std::size_t file_bytes, const std::string& origin) {
  const std::string_view magic = bytes.substr(0, kMagicBytes);
  const bool known = magic.size() == kMagicBytes && magic.starts_with(std::string_view("\0\0\x08", 3)) &&
                     byte_at(magic, 3) >= 1 && byte_at(magic, 3) <= kMostDimensions;
  if (!known) {
    throw DataError(
        fmt::format("{}: magic number {}; allowed for IDX: 0x00000801 (labels) to 0x00000804 (unsigned bytes)", origin,
                    hexadecimal(magic)));
  }
  const std::size_t header = kMagicBytes + kExtentBytes * byte_at(magic, 3);
  if (bytes.size() < header) refuse_size(origin, bytes.size(), header);
  std::vector<arma::uword> shape;
  for (std::size_t at = kMagicBytes; at < header; at += kExtentBytes) shape.push_back(big_endian(bytes, at));
  return binary_matrix(origin, file_bytes, std::move(shape), header, 1);
}

BinaryMatrix read_idx(Content content) {
  BinaryMatrix matrix = idx_header(content.bytes, content.bytes.size(), content.origin);
  matrix.bytes = std::move(content.bytes);
  return matrix;
}

}  // namespace elmx
