#pragma once

#include <armadillo>
#include <string>
#include <string_view>
#include <vector>

#include "data/content.hpp"

namespace elmx {

/// An IDX file of unsigned bytes (the format of MNIST).
struct Idx {
  std::string origin;              ///< the path, for messages
  std::vector<arma::uword> shape;  ///< at least one size: the number of samples
  std::string bytes;               ///< the file, header and all
  std::size_t header;              ///< bytes before the data

  arma::uword count() const { return shape.front(); }
  /// Values of one sample: the product of all sizes but the first.
  arma::uword dimension() const;
  std::string_view data() const { return std::string_view(bytes).substr(header); }
};

/// Big endian: 0, 0, type (8 = unsigned byte), number of dimensions, the sizes, the data. Throws DataError: another
/// magic number, a file that is shorter or longer than its header says.
Idx read_idx(Content content);

/// Rows first_row .. of X: each image row by row.  X: N x d with d the dimension of the images.
void unpack_images(const Idx& images, arma::mat& X, arma::uword first_row);

}  // namespace elmx
