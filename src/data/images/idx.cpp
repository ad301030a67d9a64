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

BinaryMatrix read_idx(Content content) {
  const std::string_view bytes = content.bytes;
  const std::string_view magic = bytes.substr(0, kMagicBytes);
  const bool known = magic.size() == kMagicBytes && magic.starts_with(std::string_view("\0\0\x08", 3)) &&
                     byte_at(magic, 3) >= 1 && byte_at(magic, 3) <= kMostDimensions;
  if (!known) {
    throw DataError(
        fmt::format("{}: magic number {}; allowed for IDX: 0x00000801 (labels) to 0x00000804 (unsigned bytes)",
                    content.origin, hexadecimal(magic)));
  }
  const std::size_t header = kMagicBytes + kExtentBytes * byte_at(magic, 3);
  if (bytes.size() < header) refuse_size(content, header);
  std::vector<arma::uword> shape;
  for (std::size_t at = kMagicBytes; at < header; at += kExtentBytes) shape.push_back(big_endian(bytes, at));
  return binary_matrix(std::move(content), std::move(shape), header, 1);
}

}  // namespace elmx
