#include "data/images/pixels.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/content/bytes.hpp"

namespace elmx {
namespace {

constexpr arma::uword kRowBlock = 64;  // rows unpacked together: whole cache lines are written

}  // namespace

void unpack_pixels(std::string_view bytes, arma::uword stride, arma::uword count, arma::mat& X, arma::uword first_row) {
  const arma::uword d = X.n_cols;
  expects(first_row + count <= X.n_rows, "unpack_pixels: X has room for the images");
  expects(stride >= d && (count == 0 || bytes.size() >= (count - 1) * stride + d),
          "unpack_pixels: count images of d bytes");
  for (arma::uword begin = 0; begin < count; begin += kRowBlock) {
    const arma::uword end = std::min(begin + kRowBlock, count);
    for (arma::uword j = 0; j < d; ++j) {
      double* column = X.colptr(j) + first_row;
      for (arma::uword i = begin; i < end; ++i) column[i] = byte_at(bytes, i * stride + j);
    }
  }
}

}  // namespace elmx
