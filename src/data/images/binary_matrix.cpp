#include "data/images/binary_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "data/content/bytes.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLongestHeader = 24;  // of both formats
constexpr std::size_t kWord = 4;            // bytes of a magic number or a size
constexpr std::size_t kMostDimensions = 4;

constexpr std::size_t kNorbSizesStored = 3;      // at least
constexpr std::size_t kNorbSizesAt = 2 * kWord;  // behind the magic number and the number of dimensions

struct NorbType {
  std::uint32_t magic;
  const char* name;
  std::size_t bytes;  // 0: not read
};

constexpr NorbType kNorbTypes[] = {{0x1E3D4C55, "unsigned bytes", 1},   {0x1E3D4C54, "int32", 4},
                                   {0x1E3D4C51, "single precision", 0}, {0x1E3D4C52, "packed", 0},
                                   {0x1E3D4C53, "double precision", 0}, {0x1E3D4C56, "int16", 0}};

std::size_t norb_value_bytes(std::string_view head, const std::string& origin) {
  const std::string_view magic = head.substr(0, kWord);
  const auto* type = std::ranges::find(kNorbTypes, little_endian(magic, 0), &NorbType::magic);
  const bool known = type != std::end(kNorbTypes);
  if (known && type->bytes > 0) return type->bytes;
  throw DataError(
      origin,
      fmt::format("expected a NORB file with magic number 0x1e3d4c55 (unsigned bytes: images) or 0x1e3d4c54 (int32: "
                  "labels), found {}{}",
                  hexadecimal(std::string(magic.rbegin(), magic.rend())),
                  known ? fmt::format(" ({})", type->name) : ""));
}

[[noreturn]] void refuse_size(const Content& file, arma::uword expected) {
  throw DataError(file.origin,
                  fmt::format("expected {} by its header, found {}", counted(expected, "byte"), file.size()));
}

/// The matrix whose header has been read. Throws DataError: a size that is zero, a file that is shorter or
/// longer than its header says.
BinaryMatrix of_header(SharedContent file, std::vector<arma::uword> shape, std::size_t header,
                       std::size_t value_bytes) {
  if (std::ranges::count(shape, 0) > 0)
    throw DataError(file->origin, "expected sizes of at least 1 in its header, found 0");
  const arma::uword data =
      std::accumulate(shape.begin(), shape.end(), arma::uword{value_bytes}, [](arma::uword a, arma::uword b) {
        return product_of_sizes({a, b});
      });
  if (file->size() < header || file->size() - header != data)
    refuse_size(*file, data > kTooMany - header ? kTooMany : header + data);
  return {std::move(file), std::move(shape), header, value_bytes};
}

}  // namespace

arma::uword BinaryMatrix::dimension() const {
  return std::accumulate(shape.begin() + 1, shape.end(), arma::uword{1}, std::multiplies<>());
}

SharedRows BinaryMatrix::rows() const {
  return array_rows(file,
                    {header, number_type(value_bytes == 1 ? 'u' : 'i', value_bytes, false), count(), dimension()});
}

BinaryMatrix read_idx(SharedContent file) {
  const std::string head = file->head(kLongestHeader);
  const std::string magic = head.substr(0, kWord);
  const std::size_t dimensions = magic.size() == kWord ? byte_at(magic, 3) : 0;
  if (!magic.starts_with(std::string_view("\0\0\x08", 3)) || dimensions < 1 || dimensions > kMostDimensions)
    throw DataError(
        file->origin,
        fmt::format(
            "expected an IDX file with magic number 0x00000801 (labels) to 0x00000804 (unsigned bytes), found {}",
            hexadecimal(magic)));
  const std::size_t header = kWord + dimensions * kWord;
  if (head.size() < header) refuse_size(*file, header);
  std::vector<arma::uword> shape;
  for (std::size_t at = kWord; at < header; at += kWord) shape.push_back(big_endian(head, at));
  return of_header(std::move(file), std::move(shape), header, 1);
}

BinaryMatrix read_norb(SharedContent file) {
  const std::string head = file->head(kLongestHeader);
  const std::string& origin = file->origin;
  if (head.size() < kNorbSizesAt + kNorbSizesStored * kWord)
    throw DataError(origin, fmt::format("expected a NORB header of at least 20 bytes, found {}", head.size()));
  const std::size_t width = norb_value_bytes(head, origin), dimensions = little_endian(head, kWord);
  if (dimensions < 1 || dimensions > kMostDimensions)
    throw DataError(origin, fmt::format("expected 1 to 4 dimensions, found {}", dimensions));
  const std::size_t stored = std::max(dimensions, kNorbSizesStored), header = kNorbSizesAt + stored * kWord;
  if (head.size() < header) refuse_size(*file, header);
  std::vector<arma::uword> shape;
  for (std::size_t at = kNorbSizesAt; at < header; at += kWord) shape.push_back(little_endian(head, at));
  if (std::any_of(shape.begin() + static_cast<std::ptrdiff_t>(dimensions), shape.end(),
                  [](arma::uword size) { return size != 1; }))
    throw DataError(
        origin, fmt::format("the header has {}, so the sizes after them must be 1", counted(dimensions, "dimension")));
  shape.resize(dimensions);
  return of_header(std::move(file), std::move(shape), header, width);
}

}  // namespace elmx
