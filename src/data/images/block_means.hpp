#pragma once

#include "data/images/binary_matrix.hpp"

namespace elmx {

/// The samples of `images`, whose last two sizes are rows and columns of pixels, reduced to the means of their
/// blocks of side x side pixels, rounded: N x d / side^2, in the order of the pixels. Throws DataError: images
/// that do not divide into such blocks.
SharedRows block_means(const BinaryMatrix& images, std::size_t side);

}  // namespace elmx
