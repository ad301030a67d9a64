#include "data/images/block_means.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace elmx {
namespace {

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
