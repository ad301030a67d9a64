#include "data/idx.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "data/table.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMagicBytes = 4;
constexpr std::size_t kSizeBytes = 4;
constexpr unsigned char kDimensionsMax = 4;
constexpr arma::uword kRowBlock = 64;  // rows unpacked together: whole cache lines are written

unsigned char byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

arma::uword size_at(std::string_view bytes, std::size_t offset) {
  arma::uword size = 0;
  for (std::size_t i = 0; i < kSizeBytes; ++i) size = size << 8 | byte_at(bytes, offset + i);
  return size;
}

std::string hexadecimal(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "0x";
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

[[noreturn]] void refuse_size(const Content& content, arma::uword expected) {
  throw DataError(content.origin + ": " + counted(content.bytes.size(), "byte") + "; its header asks for " +
                  std::to_string(expected));
}

}  // namespace

arma::uword Idx::dimension() const {
  return std::accumulate(shape.begin() + 1, shape.end(), arma::uword{1}, std::multiplies<>());
}

Idx read_idx(Content content) {
  const std::string_view bytes = content.bytes;
  const std::string_view magic = bytes.substr(0, kMagicBytes);
  const bool known = magic.size() == kMagicBytes && magic.starts_with(std::string_view("\0\0\x08", 3)) &&
                     byte_at(magic, 3) >= 1 && byte_at(magic, 3) <= kDimensionsMax;
  if (!known) {
    throw DataError(content.origin + ": magic number " + hexadecimal(magic) +
                    "; allowed for IDX: 0x00000801 (labels) to 0x00000804 (unsigned bytes)");
  }
  Idx idx{content.origin, {}, {}, kMagicBytes + kSizeBytes * byte_at(magic, 3)};
  if (bytes.size() < idx.header) refuse_size(content, idx.header);
  for (std::size_t at = kMagicBytes; at < idx.header; at += kSizeBytes) idx.shape.push_back(size_at(bytes, at));
  const arma::uword expected = idx.header + idx.count() * idx.dimension();
  if (bytes.size() != expected) refuse_size(content, expected);
  idx.bytes = std::move(content.bytes);
  return idx;
}

void unpack_images(const Idx& images, arma::mat& X, arma::uword first_row) {
  const arma::uword d = images.dimension();
  const std::string_view bytes = images.data();
  expects(X.n_cols == d && first_row + images.count() <= X.n_rows, "unpack_images: X has room for the images");
  for (arma::uword begin = 0; begin < images.count(); begin += kRowBlock) {
    const arma::uword end = std::min(begin + kRowBlock, images.count());
    for (arma::uword j = 0; j < d; ++j) {
      double* column = X.colptr(j) + first_row;
      for (arma::uword i = begin; i < end; ++i) column[i] = byte_at(bytes, i * d + j);
    }
  }
}

}  // namespace elmx
