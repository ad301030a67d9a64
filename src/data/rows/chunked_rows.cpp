#include "data/rows/chunked_rows.hpp"

#include <zlib.h>

#include <algorithm>
#include <list>
#include <map>
#include <mutex>

#include "base/error.hpp"

namespace elmx {
namespace {

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

  Bytes chunk(std::size_t number) const {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = kept_.find(number); found != kept_.end()) {
        used_.remove(number);
        used_.push_front(number);
        return found->second;
      }
    }
    Bytes bytes = unpacked(number);  // by several threads at once, should they want the same one
    const std::lock_guard lock(mutex_);
    if (kept_.emplace(number, bytes).second) used_.push_front(number);
    while (used_.size() > most_kept_) {
      kept_.erase(used_.back());
      used_.pop_back();
    }
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
  mutable std::map<std::size_t, Bytes> kept_;
  mutable std::list<std::size_t> used_;  // the one that was used last in front
};

}  // namespace

SharedRows chunked_rows(SharedContent file, ChunkedArray array, bool transposed) {
  return std::make_shared<const ChunkedRows>(std::move(file), std::move(array), transposed);
}

}  // namespace elmx
