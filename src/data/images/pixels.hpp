#pragma once

#include <armadillo>
#include <string_view>

namespace elmx {

/// Rows first_row .. first_row + count of X: N x d, one image a row, its d bytes in the order of the file.
///
///     bytes     begins with the first value of the first image
///     stride    bytes from one image to the next, at least d
void unpack_pixels(std::string_view bytes, arma::uword stride, arma::uword count, arma::mat& X, arma::uword first_row);

}  // namespace elmx
