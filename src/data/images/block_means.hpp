#pragma once

#include "data/images/binary_matrix.hpp"

namespace elmx {

/// Reduces each image to the rounded means of its blocks of side x side pixels: N x d / side^2, in pixel
/// order. The last two sizes of `images` are rows and columns of pixels. Throws DataError if the images do
/// not divide into such blocks.
SharedRows block_means(const BinaryMatrix& images, std::size_t side);

}  // namespace elmx
