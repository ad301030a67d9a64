#include "data/rows/array_rows.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <list>
#include <mutex>

#include "base/error.hpp"

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

constexpr double kKeptBytes = 32e6;

/// Undoes HDF5's shuffle filter, which stores the first bytes of all numbers, then all second bytes, ...
std::vector<char> unshuffled(const std::vector<char>& bytes, std::size_t width) {
  std::vector<char> numbers(bytes.size());
  const std::size_t count = bytes.size() / width;
  for (std::size_t b = 0; b < width; ++b) {
    for (std::size_t i = 0; i < count; ++i) numbers[i * width + b] = bytes[b * count + i];
  }
  return numbers;
}

class ChunkedRows final : public RowSource {
 public:
  ChunkedRows(SharedContent file, ChunkedArray array, bool transposed)
      : file_(std::move(file)), array_(std::move(array)), transposed_(transposed) {
    across_ = (array_.cols + array_.chunk_cols - 1) / array_.chunk_cols;
    const arma::uword down = (array_.rows + array_.chunk_rows - 1) / array_.chunk_rows;
    expects(array_.chunks.size() == across_ * down, "ChunkedRows: every chunk is known");
    chunk_bytes_ = array_.chunk_rows * array_.chunk_cols * array_.type.bytes;
    const arma::uword band = transposed_ ? down : across_;  // chunks that a sample is in
    most_kept_ =
        std::max<std::size_t>(2 * band, static_cast<std::size_t>(kKeptBytes / static_cast<double>(chunk_bytes_)));
  }

  arma::uword rows() const override { return transposed_ ? array_.cols : array_.rows; }
  arma::uword cols() const override { return transposed_ ? array_.rows : array_.cols; }

  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override {
    const std::size_t width = array_.type.bytes, stride = array_.chunk_cols * width;
    const arma::uword along = transposed_ ? array_.chunk_cols : array_.chunk_rows,
                      beside = transposed_ ? array_.chunk_rows : array_.chunk_cols;
    for (arma::uword i = 0; i < count;) {
      const arma::uword band = rows[i] / along, begin = band * along;
      arma::uword end = i;
      while (end < count && rows[end] / along == band) ++end;
      for (arma::uword first = 0; first < cols(); first += beside) {
        const arma::uword other = first / beside;
        const Bytes bytes = chunk(transposed_ ? other * across_ + band : band * across_ + other);
        for (arma::uword j = first; j < std::min(first + beside, cols()); ++j) {
          const char* from = bytes->data() + (transposed_ ? (j - first) * stride : (j - first) * width);
          array_.type.pick(from, transposed_ ? width : stride, rows + i, begin, end - i, X + j * ld + i);
        }
      }
      i = end;
    }
  }

  double working_bytes() const override {
    const std::size_t kept = std::min(most_kept_, array_.chunks.size());
    return (static_cast<double>(kept) + 8) * static_cast<double>(chunk_bytes_) +
           static_cast<double>(file_->bytes.size());
  }

 private:
  using Bytes = std::shared_ptr<const std::vector<char>>;
  using Kept = std::pair<std::size_t, Bytes>;

  Bytes chunk(std::size_t number) const {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = std::ranges::find(kept_, number, &Kept::first); found != kept_.end()) {
        kept_.splice(kept_.begin(), kept_, found);
        return kept_.front().second;
      }
    }
    Bytes bytes = unpacked(number);  // by several threads at once, should they want the same one
    const std::lock_guard lock(mutex_);
    kept_.emplace_front(number, bytes);
    if (kept_.size() > most_kept_) kept_.pop_back();
    return bytes;
  }

  Bytes unpacked(std::size_t number) const {
    const ChunkedArray::Chunk& chunk = array_.chunks[number];
    std::vector<char> bytes(chunk.bytes);
    file_->read(chunk.offset, bytes.size(), bytes.data());
    uLongf size = bytes.size();
    bool whole = true;
    if (chunk.packed) {
      std::vector<char> plain(size = chunk_bytes_);
      whole = uncompress(reinterpret_cast<Bytef*>(plain.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                         bytes.size()) == Z_OK;
      bytes = std::move(plain);
    }
    if (!whole || size != chunk_bytes_)
      throw DataError(file_->origin, "a packed block of its numbers is damaged; use a complete HDF5 file");
    if (chunk.shuffled) bytes = unshuffled(bytes, array_.type.bytes);
    return std::make_shared<const std::vector<char>>(std::move(bytes));
  }

  SharedContent file_;
  ChunkedArray array_;
  bool transposed_;
  arma::uword across_;  // chunks side by side
  std::size_t chunk_bytes_;
  std::size_t most_kept_;
  mutable std::mutex mutex_;
  mutable std::list<Kept> kept_;  // the chunk that was used last in front
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

SharedRows chunked_rows(SharedContent file, ChunkedArray array, bool transposed) {
  return std::make_shared<const ChunkedRows>(std::move(file), std::move(array), transposed);
}

}  // namespace elmx
