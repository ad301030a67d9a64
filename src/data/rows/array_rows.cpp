#include "data/rows/array_rows.hpp"

#include <algorithm>

namespace elmx {
namespace {

constexpr arma::uword kTile = 64;  // rows whose bytes stay in the cache while their columns are picked

/// Column j of the rows, which stand one after the other as numbers of the type.
void pick_column(const BlocksOfFile& file, std::size_t offset, const NumberType& type, const arma::uword* rows,
                 arma::uword count, double* to, std::vector<char>& bytes) {
  const std::size_t span = kSpanBytes / type.bytes, gap = kGapBytes / type.bytes;
  for_each_run(rows, count, span, gap, [&](arma::uword i, arma::uword n) {
    const arma::uword first = rows[i], last = rows[i + n - 1];
    bytes.resize((last - first + 1) * type.bytes);
    file.read(offset + first * type.bytes, bytes.size(), bytes.data());
    type.pick(bytes.data(), type.bytes, rows + i, first, n, to + i);
  });
}

}  // namespace

ArrayRows::ArrayRows(SharedFile file, const ArrayInFile& array, arma::uvec columns)
    : file_(std::move(file)), array_(array), columns_(std::move(columns)) {}

void ArrayRows::read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const {
  const std::size_t width = array_.type.bytes;
  std::vector<char> bytes;
  if (array_.by_columns) {
    for (arma::uword j = 0; j < columns_.n_elem; ++j)
      pick_column(*file_, array_.offset + columns_(j) * array_.rows * width, array_.type, rows, count, X + j * ld,
                  bytes);
    return;
  }
  const std::size_t stride = array_.cols * width;
  const arma::uword span = std::max<arma::uword>(1, kSpanBytes / stride),
                    gap = std::max<arma::uword>(1, kGapBytes / stride);
  for_each_run(rows, count, span, gap, [&](arma::uword i, arma::uword n) {
    const arma::uword first = rows[i], last = rows[i + n - 1];
    bytes.resize((last - first + 1) * stride);
    file_->read(array_.offset + first * stride, bytes.size(), bytes.data());
    for (arma::uword tile = i; tile < i + n; tile += kTile) {
      const arma::uword of_tile = std::min(kTile, i + n - tile);
      for (arma::uword j = 0; j < columns_.n_elem; ++j)
        array_.type.pick(bytes.data() + columns_(j) * width, stride, rows + tile, first, of_tile, X + j * ld + tile);
    }
  });
}

}  // namespace elmx
