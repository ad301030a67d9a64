#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "data/content/unpack.hpp"
#include "data/images/images.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLongestHeader = 24;  // of both formats
constexpr std::size_t kWord = 4;            // bytes of a magic number or a size
constexpr std::size_t kMostDimensions = 4;

constexpr std::uint32_t kNorbBytes = 0x1E3D4C55, kNorbInts = 0x1E3D4C54;  // magic numbers
constexpr std::size_t kNorbSizesStored = 3;                               // at least
constexpr std::size_t kNorbSizesAt = 2 * kWord;  // behind the magic number and the number of dimensions

[[noreturn]] void refuse_size(const Content& file, arma::uword expected) {
  throw DataError(file.origin, fmt::format("expected {} in the file, as its header states, found {}",
                                           counted(expected, "byte"), file.size()));
}

/// The matrix whose header has been read. Throws DataError: a size that is zero, a file that is shorter or
/// longer than its header says.
BinaryMatrix of_header(SharedContent file, std::vector<arma::uword> shape, std::size_t header, NumberType type) {
  if (std::ranges::count(shape, 0) > 0)
    throw DataError(file->origin, "expected dimensions of at least 1 in its header, found 0");
  const arma::uword data =
      std::accumulate(shape.begin(), shape.end(), arma::uword{type.bytes}, [](arma::uword a, arma::uword b) {
        return product_of_sizes({a, b});
      });
  if (file->size() < header || file->size() - header != data)
    refuse_size(*file, data > kTooMany - header ? kTooMany : header + data);
  const arma::uword samples = shape.front();
  return {std::move(file), std::move(shape), {header, type, samples, data / type.bytes / samples}};
}

constexpr arma::uword kRowsAtOnce = 16;  // whose pixels are in memory

class BlockMeans final : public RowSource {
 public:
  BlockMeans(SharedRows images, arma::uword pixel_cols, arma::uword side)
      : images_(std::move(images)), pixel_cols_(pixel_cols), side_(side) {}

  arma::uword rows() const override { return images_->rows(); }
  arma::uword cols() const override { return images_->cols() / (side_ * side_); }
  double working_bytes() const override { return images_->working_bytes(); }

  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override {
    arma::mat pixels;
    arma::vec sum;
    for (arma::uword first = 0; first < count; first += kRowsAtOnce) {
      const arma::uword n = std::min(kRowsAtOnce, count - first);
      pixels.set_size(n, images_->cols());
      images_->read(rows + first, n, pixels.memptr(), n);
      for (arma::uword j = 0; j < cols(); ++j) {
        sum.zeros(n);
        for (arma::uword k = 0; k < side_ * side_; ++k) sum += pixels.col(pixel_of(j, k));
        for (arma::uword i = 0; i < n; ++i)
          X[j * ld + first + i] = std::round(sum(i) / static_cast<double>(side_ * side_));
      }
    }
  }

 private:
  /// Returns pixel k of block j. Blocks are counted like pixels: row by row, through all images of a sample.
  arma::uword pixel_of(arma::uword j, arma::uword k) const {
    const arma::uword blocks = pixel_cols_ / side_;  // of a row
    const arma::uword row = j / blocks * side_ + k / side_, col = j % blocks * side_ + k % side_;
    return row * pixel_cols_ + col;
  }

  SharedRows images_;
  arma::uword pixel_cols_, side_;
};

}  // namespace

BinaryMatrix read_idx(SharedContent file) {
  const std::string head = file->head(kLongestHeader);
  const std::string magic = head.substr(0, kWord);
  const std::size_t dimensions = magic.size() == kWord ? byte_at(magic, 3) : 0;
  if (!magic.starts_with(std::string_view("\0\0\x08", 3)) || dimensions < 1 || dimensions > kMostDimensions)
    throw DataError(
        file->origin,
        fmt::format(
            "expected an IDX file with magic number 0x00000801 (labels) to 0x00000804 (unsigned bytes), found 0x{:02x}",
            fmt::join(std::vector<unsigned char>(magic.begin(), magic.end()), "")));
  const std::size_t header = kWord + dimensions * kWord;
  if (head.size() < header) refuse_size(*file, header);
  std::vector<arma::uword> shape;
  for (std::size_t at = kWord; at < header; at += kWord) shape.push_back(big_endian(head, at));
  return of_header(std::move(file), std::move(shape), header, number_type('u', 1, false));
}

BinaryMatrix read_norb(SharedContent file) {
  const std::string head = file->head(kLongestHeader);
  const std::string& origin = file->origin;
  if (head.size() < kNorbSizesAt + kNorbSizesStored * kWord)
    throw DataError(origin, fmt::format("expected a NORB header of at least 20 bytes, found {}", head.size()));
  const std::uint32_t magic = little_endian(head, 0);
  if (magic != kNorbBytes && magic != kNorbInts)
    throw DataError(origin,
                    fmt::format("expected a NORB file with magic number {:#x} (unsigned bytes: images) or {:#x} "
                                "(int32: labels), found {:#x}",
                                kNorbBytes, kNorbInts, magic));
  const std::size_t dimensions = little_endian(head, kWord);
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
  return of_header(std::move(file), std::move(shape), header,
                   magic == kNorbBytes ? number_type('u', 1, false) : number_type('i', 4, false));
}

SharedRows block_means(const BinaryMatrix& images, std::size_t side) {
  const std::vector<arma::uword>& shape = images.shape;
  const arma::uword rows = shape.size() > 2 ? shape[shape.size() - 2] : 1, cols = shape.back();
  if (rows % side != 0 || cols % side != 0)
    throw DataError(images.origin(),
                    fmt::format("{} x {} pixels cannot be divided into blocks of {} x {} (data.block_mean)", rows, cols,
                                side, side));
  return std::make_shared<const BlockMeans>(images.rows(), cols, side);
}

}  // namespace elmx
