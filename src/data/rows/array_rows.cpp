#include "data/rows/array_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace elmx {
namespace {

// rows whose bytes stay in the cache while columns are picked
constexpr arma::uword kTile = 64;
constexpr std::size_t kGapBytes = std::size_t(64) << 10;  // that are read although nobody wants them

template <class T, bool swapped>
void pick_numbers(const char* from, std::size_t stride, const arma::uword* rows, arma::uword first, arma::uword count,
                  double* to) {
  for (arma::uword i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from + (rows[i] - first) * stride, sizeof(T));
    if constexpr (swapped) std::ranges::reverse(bytes);
    to[i] = static_cast<double>(std::bit_cast<T>(bytes));
  }
}

template <class T>
NumberType type_of(bool swapped) {
  return {swapped ? pick_numbers<T, true> : pick_numbers<T, false>, sizeof(T)};
}

class ArrayRows final : public RowSource {
 public:
  ArrayRows(SharedContent file, const ArrayInFile& array, arma::uvec columns)
      : file_(std::move(file)), array_(array), columns_(std::move(columns)) {}

  arma::uword rows() const override { return array_.rows; }
  arma::uword cols() const override { return columns_.n_elem; }
  double working_bytes() const override {
    return RowSource::working_bytes() + static_cast<double>(file_->bytes.size());
  }

  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override {
    const std::size_t width = array_.type.bytes, stride = array_.cols * width;
    if (!array_.by_columns) {
      read_runs(array_.offset, stride, rows, count, [&](const char* bytes, arma::uword i, arma::uword n) {
        for (arma::uword tile = i; tile < i + n; tile += kTile) {
          for (arma::uword j = 0; j < columns_.n_elem; ++j)
            array_.type.pick(bytes + columns_(j) * width, stride, rows + tile, rows[i], std::min(kTile, i + n - tile),
                             X + j * ld + tile);
        }
      });
      return;
    }
    for (arma::uword j = 0; j < columns_.n_elem; ++j)
      read_runs(array_.offset + columns_(j) * array_.rows * width, width, rows, count,
                [&](const char* bytes, arma::uword i, arma::uword n) {
                  array_.type.pick(bytes, width, rows + i, rows[i], n, X + j * ld + i);
                });
  }

 private:
  /// Reads rows of `stride` bytes that stand one after the other from `offset` on. use(bytes, i, n): rows[i]
  /// ... rows[i + n - 1] ascend, and `bytes` holds all rows from the first to the last of them.
  template <class Use>
  void read_runs(std::size_t offset, std::size_t stride, const arma::uword* rows, arma::uword count,
                 const Use& use) const {
    const arma::uword most_span = std::max<arma::uword>(1, kSpanBytes / stride),
                      most_gap = std::max<arma::uword>(1, kGapBytes / stride);
    std::vector<char> bytes;
    for (arma::uword i = 0; i < count;) {
      arma::uword end = i + 1;
      while (end < count && rows[end] >= rows[end - 1] && rows[end] - rows[end - 1] <= most_gap &&
             rows[end] - rows[i] < most_span)
        ++end;
      bytes.resize((rows[end - 1] - rows[i] + 1) * stride);
      file_->read(offset + rows[i] * stride, bytes.size(), bytes.data());
      use(bytes.data(), i, end - i);
      i = end;
    }
  }

  SharedContent file_;
  ArrayInFile array_;
  arma::uvec columns_;
};

}  // namespace

NumberType number_type(char kind, std::size_t bytes, bool big_endian) {
  const bool swapped = big_endian != (std::endian::native == std::endian::big);
  if (kind == 'f' && bytes == 4) return type_of<float>(swapped);
  if (kind == 'f' && bytes == 8) return type_of<double>(swapped);
  if (kind == 'i' && bytes == 1) return type_of<std::int8_t>(swapped);
  if (kind == 'i' && bytes == 2) return type_of<std::int16_t>(swapped);
  if (kind == 'i' && bytes == 4) return type_of<std::int32_t>(swapped);
  if (kind == 'i' && bytes == 8) return type_of<std::int64_t>(swapped);
  if (kind == 'u' && bytes == 1) return type_of<std::uint8_t>(swapped);
  if (kind == 'u' && bytes == 2) return type_of<std::uint16_t>(swapped);
  if (kind == 'u' && bytes == 4) return type_of<std::uint32_t>(swapped);
  if (kind == 'u' && bytes == 8) return type_of<std::uint64_t>(swapped);
  return {};
}

SharedRows array_rows(SharedContent file, const ArrayInFile& array, arma::uvec columns) {
  return std::make_shared<const ArrayRows>(std::move(file), array, std::move(columns));
}

SharedRows array_rows(SharedContent file, const ArrayInFile& array) {
  return array_rows(std::move(file), array, arma::regspace<arma::uvec>(0, 1, array.cols - 1));
}

}  // namespace elmx
